//! The grammar of messages that an FMU of this project logs for machines.
//!
//! Category `contacts`, one message for each contact or end stop of a joint that starts or ends, each
//! impulse, each latch that closes or opens, each trigger that switches, each jump of a prescribed motion:
//!   `contact start: t=<s> pair=<body.shape:body.shape> speed=<m/s>`
//!   `contact end: t=<s> pair=<body.shape:body.shape>`
//!   `stop start: t=<s> joint=<name> side=<lower|upper> speed=<m/s or rad/s>`
//!   `stop end: t=<s> joint=<name> side=<lower|upper>`
//!   `impulse: t=<s> pair=<body.shape:body.shape> impulse=<N.s,N.s,N.s>`
//!   `latch closes: t=<s> latch=<name> impulse=<N.s,N.s,N.s> moment=<N.m.s,N.m.s,N.m.s>`, and the same with
//!   `latch opens:` and `latch stops:`, which is a closed one that stops its joint
//!   `trigger on: t=<s> trigger=<name>` and `trigger off:`
//!   `velocity jump: t=<s> body=<name> velocity=<m/s,m/s,m/s> angular_velocity=<rad/s,rad/s,rad/s>
//!   impulse=<N.s,N.s,N.s> moment=<N.m.s,N.m.s,N.m.s>`
//! Category `integrator`, one message when Co-Simulation terminates:
//!   `integrator: steps=<n> rejected=<n> derivative_calls=<n> direction_calls=<n>
//!   indicator_calls=<n> events=<n>`
//! Category `progress`, one message after so many internal steps, and what keeps them short:
//!   `progress: t=<s> step=<s> steps=<n> events=<n>`, then
//!   `limit=contact name=<pair or joint:side> depth=<m or rad> stiffness=<N/m or N.m/rad> duration=<s>
//!   angular=<0|1>`, `limit=error state=<state>` with the fields of the stiffest contact if anything
//!   touches, `limit=events` with `name=<what changed last>` if anything
//!   did, `limit=max_step`, `limit=fixed`, or nothing
//! After the head come `key=value` fields separated by spaces, in any order; a value has no space, the
//! components of a vector are separated by commas; keys not named here are passed over, so that later
//! versions may say more.

use contact_model::integrator::Statistics;

/// Log category of contacts.
pub const CONTACTS: &str = "contacts";
/// Log category of the work of the integrator.
pub(crate) const INTEGRATOR: &str = "integrator";
/// Log category of how the integration goes on.
pub(crate) const PROGRESS: &str = "progress";

/// How messages start, the name of the event, what it is about, and whether a speed belongs to it.
#[rustfmt::skip]
const HEADS: [(&str, &str, Touching, bool); 11] = [
    ("contact start:", "start", Touching::Pair, true),
    ("contact end:", "end", Touching::Pair, false),
    ("stop start:", "stop start", Touching::Stop, true),
    ("stop end:", "stop end", Touching::Stop, false),
    ("impulse:", "impulse", Touching::Impulse, false),
    ("latch closes:", "latch closes", Touching::Latch(Latching::Closes), false),
    ("latch opens:", "latch opens", Touching::Latch(Latching::Opens), false),
    ("latch stops:", "latch stops", Touching::Latch(Latching::Stops), false),
    ("trigger on:", "trigger on", Touching::Trigger { is_on: true }, false),
    ("trigger off:", "trigger off", Touching::Trigger { is_on: false }, false),
    ("velocity jump:", "jump", Touching::Jump, false),
];
const WORK: &str = "integrator:";
const BEAT: &str = "progress:";

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touching {
    /// Two shapes.
    Pair,
    /// A joint and one of its end stops.
    Stop,
    /// Two shapes that exert an impulse on each other.
    Impulse,
    /// A latch.
    Latch(Latching),
    /// A trigger.
    Trigger {
        /// It switches on, else off.
        is_on: bool,
    },
    /// A body whose prescribed velocity jumps.
    Jump,
}

/// What a latch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Latching {
    /// It begins to hold its joint.
    Closes,
    /// It lets its joint go.
    Opens,
    /// It is closed and stops the joint, which an impulse has set in motion.
    Stops,
}

/// A contact, or an end stop of a joint, that starts or ends; an impulse; a latch; a trigger; a
/// jump of a prescribed velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactEvent {
    /// Time [s].
    pub time: f64,
    /// What kind it is.
    pub touching: Touching,
    /// The two shapes, `body.shape:body.shape`; the stop, `joint:lower` or `joint:upper`; the latch,
    /// the trigger or the body.
    pub pair: String,
    /// Speed of approach along the normal, or towards the stop, [m/s] or [rad/s] where it started;
    /// none where it ended.
    pub impact_speed: Option<f64>,
    /// Impulse in world axes [N.s]: of an impulse on the second shape, of a latch on the child of its
    /// joint, of a jump on the body by what hangs on it.
    pub impulse: Option<[f64; 3]>,
}

impl ContactEvent {
    /// What happens, in words.
    pub fn name(&self) -> &'static str {
        let starts = self.impact_speed.is_some();
        let mut same = HEADS
            .iter()
            .filter(|(.., touching, _)| *touching == self.touching);
        let own = same.clone().find(|(.., speed)| *speed == starts);
        own.or(same.next()).map_or("", |(_, name, ..)| name)
    }
}

impl Touching {
    /// What an event of this name is about, as [`ContactEvent::name`] has it; none for another name.
    pub fn of_name(name: &str) -> Option<Touching> {
        let mut heads = HEADS.iter();
        let own = heads.find(|(_, known, ..)| *known == name);
        own.map(|(.., touching, _)| *touching)
    }
}

/// How an integration goes on.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pulse {
    /// Time reached [s].
    pub time: f64,
    /// Length of the last internal step [s].
    pub step: f64,
    /// Internal steps so far.
    pub steps: u64,
    /// Events so far.
    pub events: u64,
    /// What keeps the steps from being longer, if it is known.
    pub limit: Option<Limit>,
}

/// What keeps internal steps from being longer.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// A stiff contact, or an end stop of a joint.
    Contact(Strain),
    /// The error of a state, by its name, and the stiffest contact beside it.
    Error(String, Option<Strain>),
    /// Events in quick succession; the last contact, stop, latch or trigger that changed, if it is known.
    Events(Option<String>),
    /// The longest step that is allowed.
    LongestStep,
    /// All steps are of one length, from the stiffest contact that there can be.
    Fixed,
}

/// A contact or an end stop under load.
#[derive(Clone, Debug, PartialEq)]
pub struct Strain {
    /// Shapes of the pair, `body.shape:body.shape`, or `joint:lower` or `joint:upper`.
    pub name: String,
    /// Depth [m] or [rad].
    pub depth: f64,
    /// Stiffness [N/m] or [N.m/rad].
    pub stiffness: f64,
    /// Time in which the force changes [s].
    pub duration: f64,
    /// Of an end stop of an angle.
    pub is_angular: bool,
}

/// The event that a message reports; none for any other text.
///
/// # Errors
/// A message that starts like one of an event and does not go on like one.
pub fn contact_event(text: &str) -> Result<Option<ContactEvent>, String> {
    let mut heads = HEADS.into_iter();
    let head = heads.find_map(|(head, _, touching, starts)| {
        let fields = text.strip_prefix(head)?;
        Some((fields, touching, starts))
    });
    let Some((fields, touching, starts)) = head else {
        return Ok(None);
    };
    let name = |key| field(fields, key).map(str::to_owned);
    let event = || {
        Some(ContactEvent {
            time: number(fields, "t")?,
            touching,
            pair: match touching {
                Touching::Pair | Touching::Impulse => name("pair")?,
                Touching::Stop => format!("{}:{}", name("joint")?, name("side")?),
                Touching::Latch(_) => name("latch")?,
                Touching::Trigger { .. } => name("trigger")?,
                Touching::Jump => name("body")?,
            },
            impact_speed: match starts {
                true => Some(number(fields, "speed")?),
                false => None,
            },
            impulse: match touching {
                Touching::Pair | Touching::Stop | Touching::Trigger { .. } => None,
                _ => Some(vector(fields, "impulse")?),
            },
        })
    };
    event().map(Some).ok_or_else(|| unreadable(text))
}

/// The counters of the integrator that a message reports; none for any other text.
///
/// # Errors
/// A message that starts like one of the integrator and does not go on like one.
pub(crate) fn integrator_work(text: &str) -> Result<Option<Statistics>, String> {
    let Some(fields) = text.strip_prefix(WORK) else {
        return Ok(None);
    };
    let number = |key| count(fields, key);
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

/// How the integration goes on, if a message reports that; none for any other text. A limit that is not
/// known is none: later versions may have others.
///
/// # Errors
/// A message that starts like one of these and does not go on like one.
pub(crate) fn pulse(text: &str) -> Result<Option<Pulse>, String> {
    let Some(fields) = text.strip_prefix(BEAT) else {
        return Ok(None);
    };
    let name = || field(fields, "name").map(str::to_owned);
    let strain = || {
        Some(Strain {
            name: name()?,
            depth: number(fields, "depth")?,
            stiffness: number(fields, "stiffness")?,
            duration: number(fields, "duration")?,
            is_angular: count(fields, "angular")? != 0,
        })
    };
    let limit = || {
        Some(match field(fields, "limit") {
            Some("contact") => Some(Limit::Contact(strain()?)),
            Some("error") => Some(Limit::Error(field(fields, "state")?.to_owned(), strain())),
            Some("events") => Some(Limit::Events(name())),
            Some("max_step") => Some(Limit::LongestStep),
            Some("fixed") => Some(Limit::Fixed),
            _ => None,
        })
    };
    let pulse = || {
        Some(Pulse {
            time: number(fields, "t")?,
            step: number(fields, "step")?,
            steps: count(fields, "steps")?,
            events: count(fields, "events")?,
            limit: limit()?,
        })
    };
    pulse().map(Some).ok_or_else(|| unreadable(text))
}

fn field<'a>(fields: &'a str, key: &str) -> Option<&'a str> {
    let mut words = fields.split_ascii_whitespace();
    words.find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
}

fn number(fields: &str, key: &str) -> Option<f64> {
    finite(field(fields, key)?)
}

fn finite(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

fn count(fields: &str, key: &str) -> Option<u64> {
    field(fields, key)?.parse().ok()
}

fn vector(fields: &str, key: &str) -> Option<[f64; 3]> {
    let parts = field(fields, key)?.split(',').map(finite);
    parts.collect::<Option<Vec<f64>>>()?.try_into().ok()
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
            "impulse: t=1 pair=a:b",
            "impulse: t=1 pair=a:b impulse=1,2",
            "impulse: t=1 pair=a:b impulse=[1, 2, 3]",
            "latch opens: t=1 impulse=1,2,3",
            "trigger on: t=1",
        ] {
            assert!(contact_event(text).unwrap_err().contains(text));
        }
        let text = "integrator: steps=1 rejected=2 derivative_calls=3 direction_calls=6";
        assert!(integrator_work(text).unwrap_err().contains(text));
        assert!(integrator_work("integrator: steps=-1").is_err());
    }

    #[test]
    fn a_trigger_has_a_name_and_no_numbers() {
        for (text, name) in [
            ("trigger on: t=1.5 trigger=gate", "trigger on"),
            ("trigger off: t=1.5 trigger=gate", "trigger off"),
        ] {
            let event = contact_event(text).unwrap().unwrap();
            assert_eq!(
                (event.time, event.name(), event.pair.as_str()),
                (1.5, name, "gate")
            );
            assert_eq!((event.impact_speed, event.impulse), (None, None));
            assert_eq!(Touching::of_name(name), Some(event.touching));
        }
    }

    #[test]
    fn an_impulse_a_latch_and_a_jump_have_a_vector() {
        let cases = [
            (
                "impulse: t=1.5 pair=a.b:c.d impulse=0.25,-1e-3,0.0",
                "impulse",
                "a.b:c.d",
            ),
            (
                "latch closes: t=1.5 latch=hook impulse=0.25,-1e-3,0 moment=1,2,3",
                "latch closes",
                "hook",
            ),
            (
                "latch opens: t=1.5 latch=hook impulse=0.25,-1e-3,0 moment=1,2,3",
                "latch opens",
                "hook",
            ),
            (
                "latch stops: t=1.5 latch=hook impulse=0.25,-1e-3,0 moment=1,2,3",
                "latch stops",
                "hook",
            ),
            (
                "velocity jump: t=1.5 body=bar velocity=1,0,0 angular_velocity=0,0,0 \
                 impulse=0.25,-1e-3,0 moment=0,0,0",
                "jump",
                "bar",
            ),
        ];
        for (text, name, who) in cases {
            let event = contact_event(text).unwrap().unwrap();
            assert_eq!(
                (event.time, event.name(), event.pair.as_str()),
                (1.5, name, who)
            );
            assert_eq!(event.impulse, Some([0.25, -1e-3, 0.0]), "{text}");
            assert_eq!(event.impact_speed, None);
        }
    }

    #[test]
    fn a_pulse_says_what_limits_the_steps() {
        let of = |limit: &str| {
            let text = format!("progress: t=0.25 step=1e-6 steps=3000 events=7 {limit}");
            let pulse = pulse(&text).unwrap().unwrap();
            assert_eq!((pulse.time, pulse.step), (0.25, 1e-6));
            assert_eq!((pulse.steps, pulse.events), (3000, 7));
            pulse.limit
        };
        let contact = "limit=contact name=a.b:c.d depth=2e-5 stiffness=1e9 duration=1e-6 angular=0";
        let strain = Strain {
            name: "a.b:c.d".into(),
            depth: 2e-5,
            stiffness: 1e9,
            duration: 1e-6,
            is_angular: false,
        };
        assert_eq!(of(contact), Some(Limit::Contact(strain.clone())));
        let beside = contact.replace("contact", "error state=a.velocity[3]");
        let error = |strain| Some(Limit::Error("a.velocity[3]".into(), strain));
        assert_eq!(of(&beside), error(Some(strain)));
        assert_eq!(of("limit=error state=a.velocity[3]"), error(None));
        assert_eq!(of("limit=events"), Some(Limit::Events(None)));
        assert_eq!(of("limit=max_step"), Some(Limit::LongestStep));
        assert_eq!(of("limit=fixed"), Some(Limit::Fixed));
        assert_eq!(of("limit=unheard_of"), None);
        assert_eq!(of(""), None);
        assert!(pulse("progress: t=1 step=1 steps=1").is_err());
        assert!(pulse("progress: t=1 step=1 steps=1 events=1 limit=error").is_err());
        assert_eq!(pulse("integrator: steps=1"), Ok(None));
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
