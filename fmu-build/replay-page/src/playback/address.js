// Time, camera and chosen body in the address behind #, so that a moment can be sent as a link.

/** { t, cam, body, bare } of the address, as texts. */
export function readAddress(location) {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Writes the parts that are given; waits for a pause in the changes. */
export class Address {
  constructor() {
    this.own = "";
  }

  write(parts) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const kept = Object.entries(parts).filter(([, text]) => text !== undefined && text !== "");
      this.own = `#${kept.map(([key, text]) => `${key}=${encode(text)}`).join("&")}`;
      try {
        history.replaceState(null, "", this.own);
      } catch {
        // Some browsers do not let a page of a file change its address.
      }
    }, 150);
  }

  cancel() {
    clearTimeout(this.timer);
  }
}

const encode = (text) => encodeURIComponent(text).replaceAll("%2C", ",");
