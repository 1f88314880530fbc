//! The grammar of messages that an FMU of this project logs for machines.
//!
//! Category `contacts`, one message for each contact or end stop of a joint that starts or ends:
//!   `contact start: t=<s> pair=<body.shape:body.shape> speed=<m/s>`
//!   `contact end: t=<s> pair=<body.shape:body.shape>`
//!   `stop start: t=<s> joint=<name> side=<lower|upper> speed=<m/s or rad/s>`
//!   `stop end: t=<s> joint=<name> side=<lower|upper>`
//! Category `integrator`, one message when Co-Simulation terminates:
//!   `integrator: steps=<n> rejected=<n> derivative_calls=<n> direction_calls=<n>
//!   indicator_calls=<n> events=<n>`
//! After the head come `key=value` fields separated by spaces, in any order; a value has no space;
//! keys not named here are passed over, so that later versions may say more.

use fmu_core::integrator::Statistics;

/// Log category of contacts.
pub const CONTACTS: &str = "contacts";
/// Log category of the work of the integrator.
pub const INTEGRATOR: &str = "integrator";

/// How messages start, who touches, and whether it starts to.
const HEADS: [(&str, Touching, bool); 4] = [
    ("contact start:", Touching::Pair, true),
    ("contact end:", Touching::Pair, false),
    ("stop start:", Touching::Stop, true),
    ("stop end:", Touching::Stop, false),
];
const WORK: &str = "integrator:";

/// Who touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touching {
    /// Two shapes.
    Pair,
    /// A joint and one of its end stops.
    Stop,
}

/// A contact, or an end stop of a joint, that starts or ends.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactEvent {
    /// Time [s].
    pub time: f64,
    /// What kind it is.
    pub touching: Touching,
    /// The two shapes, `body.shape:body.shape`, or the stop, `joint:lower` or `joint:upper`.
    pub pair: String,
    /// Speed of approach along the normal, or towards the stop, [m/s] or [rad/s] where it started;
    /// none where it ended.
    pub impact_speed: Option<f64>,
}

impl ContactEvent {
    /// What happens, in words.
    pub fn name(&self) -> &'static str {
        match (self.touching, self.impact_speed.is_some()) {
            (Touching::Pair, true) => "start",
            (Touching::Pair, false) => "end",
            (Touching::Stop, true) => "stop start",
            (Touching::Stop, false) => "stop end",
        }
    }
}

/// The contact or stop that a message reports; none for any other text.
///
/// # Errors
/// A message that starts like one of a contact and does not go on like one.
pub fn contact_event(text: &str) -> Result<Option<ContactEvent>, String> {
    let mut heads = HEADS.into_iter();
    let head = heads.find_map(|(head, touching, starts)| {
        let fields = text.strip_prefix(head)?;
        Some((fields, touching, starts))
    });
    let Some((fields, touching, starts)) = head else {
        return Ok(None);
    };
    let number = |key| {
        let value = field(fields, key);
        value
            .and_then(|v| v.parse::<f64>().ok())
            .filter(|v| v.is_finite())
    };
    let event = || {
        Some(ContactEvent {
            time: number("t")?,
            touching,
            pair: match touching {
                Touching::Pair => field(fields, "pair")?.to_owned(),
                Touching::Stop => format!("{}:{}", field(fields, "joint")?, field(fields, "side")?),
            },
            impact_speed: match starts {
                true => Some(number("speed")?),
                false => None,
            },
        })
    };
    event().map(Some).ok_or_else(|| unreadable(text))
}

/// The counters of the integrator that a message reports; none for any other text.
///
/// # Errors
/// A message that starts like one of the integrator and does not go on like one.
pub fn integrator_work(text: &str) -> Result<Option<Statistics>, String> {
    let Some(fields) = text.strip_prefix(WORK) else {
        return Ok(None);
    };
    let number = |key| field(fields, key).and_then(|v| v.parse::<u64>().ok());
    let work = || {
        Some(Statistics {
            steps: number("steps")?,
            rejected_steps: number("rejected")?,
            derivative_calls: number("derivative_calls")?,
            direction_calls: number("direction_calls")?,
            indicator_calls: number("indicator_calls")?,
            events: number("events")?,
        })
    };
    work().map(Some).ok_or_else(|| unreadable(text))
}

fn field<'a>(fields: &'a str, key: &str) -> Option<&'a str> {
    let mut words = fields.split_ascii_whitespace();
    words.find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
}

fn unreadable(text: &str) -> String {
    format!("the FMU logged {text:?}, which is not in the form this tool knows")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_start_gives_time_pair_and_speed() {
        let text = "contact start: t=0.4515236409861 pair=ball.ball:ground.plate speed=4.429";
        let event = contact_event(text).unwrap().unwrap();
        assert_eq!(event.time, 0.4515236409861);
        assert_eq!(event.pair, "ball.ball:ground.plate");
        assert_eq!(event.impact_speed, Some(4.429));
    }

    #[test]
    fn a_contact_end_has_no_speed() {
        let event = contact_event("contact end: t=1e-7 pair=a.b:c.d").unwrap();
        let event = event.unwrap();
        assert_eq!((event.time, event.impact_speed), (1e-7, None));
    }

    #[test]
    fn a_stop_is_named_by_joint_and_side() {
        let event = contact_event("stop start: t=0.5 joint=hinge side=lower speed=2.5");
        let event = event.unwrap().unwrap();
        assert_eq!((event.time, event.impact_speed), (0.5, Some(2.5)));
        assert_eq!(
            (event.pair.as_str(), event.name()),
            ("hinge:lower", "stop start")
        );
        let event = contact_event("stop end: t=1 joint=hinge side=upper").unwrap();
        let event = event.unwrap();
        assert_eq!(
            (event.pair.as_str(), event.name()),
            ("hinge:upper", "stop end")
        );
        assert_eq!((event.touching, event.impact_speed), (Touching::Stop, None));
    }

    #[test]
    fn order_of_fields_and_further_fields_do_not_matter() {
        let event = contact_event("contact start: speed=1 depth=2 pair=a:b t=3 point=0,0,0");
        let event = event.unwrap().unwrap();
        assert_eq!((event.time, event.impact_speed), (3.0, Some(1.0)));
    }

    #[test]
    fn other_texts_are_passed_over() {
        for text in ["", "event: t=1", "contact", "Contact start: t=1"] {
            assert_eq!(contact_event(text), Ok(None));
            assert_eq!(integrator_work(text), Ok(None));
        }
    }

    #[test]
    fn a_damaged_message_is_an_error_that_shows_it() {
        for text in [
            "contact start: t=1 pair=a:b",
            "contact start: t=x pair=a:b speed=1",
            "contact start: t=NaN pair=a:b speed=1",
            "contact end: pair=a:b",
            "contact end: t=1 s",
            "contact end:",
            "stop start: t=1 joint=hinge side=lower",
            "stop end: t=1 side=lower",
        ] {
            assert!(contact_event(text).unwrap_err().contains(text));
        }
        let text = "integrator: steps=1 rejected=2 derivative_calls=3 direction_calls=6";
        assert!(integrator_work(text).unwrap_err().contains(text));
        assert!(integrator_work("integrator: steps=-1").is_err());
    }

    #[test]
    fn the_counters_of_the_integrator_are_read() {
        let text = "integrator: steps=1 rejected=2 derivative_calls=3 direction_calls=6 \
                    indicator_calls=4 events=5";
        let expected = Statistics {
            steps: 1,
            rejected_steps: 2,
            derivative_calls: 3,
            direction_calls: 6,
            indicator_calls: 4,
            events: 5,
        };
        assert_eq!(integrator_work(text), Ok(Some(expected)));
    }
}
