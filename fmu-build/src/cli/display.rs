//! What is written on a terminal: texts, and a run on standard error while it goes on, as one line that
//! changes on a terminal and as lines elsewhere.

use crate::command::answer::{self, Format, visible};
use crate::command::watch::{Maker, Reached, Show, When};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, ErrorKind, IsTerminal, Write};

/// What is said of the run, cut at the width of the terminal.
const LINE: &str = "{wide_msg}";
/// Frames a second: the terminal shows what there is at each look at the run.
const FRAMES: u8 = 20;

/// Writes a text, in which names of others may be, as [`put`] does.
pub fn tell(stream: &mut dyn Write, text: &str) -> Option<io::Error> {
    put(stream, &visible(text))
}

/// Writes a text with a newline at its end, colours as they are; nothing for an empty one. Returns
/// what went wrong, except that nobody listens.
pub fn put(stream: &mut dyn Write, text: &str) -> Option<io::Error> {
    if text.is_empty() {
        return None;
    }
    let end = if text.ends_with('\n') { "" } else { "\n" };
    // At once: an FMU may write between two calls.
    let text = format!("{text}{end}");
    let written = stream.write_all(text.as_bytes());
    let written = written.and_then(|()| stream.flush());
    written.err().filter(|e| e.kind() != ErrorKind::BrokenPipe)
}

/// What shows a run, if it is to be shown.
pub fn of(when: When, format: Format) -> Option<Maker> {
    match (when, format, io::stderr().is_terminal()) {
        (When::Never, ..) | (When::Auto, Format::Json, _) | (When::Auto, _, false) => None,
        (_, Format::Text, true) => Some(|| Box::new(OneLine::new())),
        (When::Always, Format::Text, false) => Some(|| Box::new(LineByLine(Format::Text))),
        (When::Always, Format::Json, _) => Some(|| Box::new(LineByLine(Format::Json))),
    }
}

/// One line on a terminal.
struct OneLine(ProgressBar);

impl OneLine {
    fn new() -> OneLine {
        let target = ProgressDrawTarget::stderr_with_hz(FRAMES);
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template(LINE) {
            bar.set_style(style);
        }
        OneLine(bar)
    }
}

impl Show for OneLine {
    fn reached(&mut self, reached: &Reached) {
        let said = answer::progress(Format::Text, reached);
        self.0.set_message(visible(said.trim_end()));
        self.0.tick();
    }

    fn slow(&mut self, reason: &str) {
        self.0
            .suspend(|| tell(&mut io::stderr(), &answer::slow(Format::Text, reason)));
    }

    fn end(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A line for each report.
struct LineByLine(Format);

impl Show for LineByLine {
    fn reached(&mut self, reached: &Reached) {
        tell(&mut io::stderr(), &answer::progress(self.0, reached));
    }

    fn slow(&mut self, reason: &str) {
        tell(&mut io::stderr(), &answer::slow(self.0, reason));
    }

    fn end(&mut self) {}
}
