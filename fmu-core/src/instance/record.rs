//! Records: messages of the log that programs read too, in the form in which an instance writes them and a
//! tool reads them.
//!
//! A record is a head and fields `key=value` behind it, each after a space. A value has no space; the
//! components of a vector are separated by commas. A reader takes fields in any order and passes over keys
//! that it does not know, so that later versions may say more; it need not find what is an `Option`.
//!
//! - [`ContactEvent`], category `contacts`: one for each change at an event, in the forms of `FORMS`
//! - [`Pulse`], category `progress`: one after so many internal steps, and what keeps them short
//! - [`Work`], category `integrator`: one when Co-Simulation terminates

use contact_model::integrator::Statistics;
use std::fmt;

/// What happens at an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventKind {
    /// Two shapes come into contact.
    #[default]
    ContactStart,
    /// A contact ends.
    ContactEnd,
    /// A joint meets an end stop.
    StopStart,
    /// A joint leaves an end stop.
    StopEnd,
    /// Two shapes exert an impulse on each other.
    Impulse,
    /// A latch begins to hold its joint.
    LatchCloses,
    /// A latch lets its joint go.
    LatchOpens,
    /// A closed latch stops its joint, which an impulse has set in motion.
    LatchStops,
    /// A trigger switches on.
    TriggerOn,
    /// A trigger switches off.
    TriggerOff,
    /// The prescribed velocity of a body jumps.
    Jump,
}

/// Each kind of event with the head of its record, its name in tables, the key of what it is about, and what
/// it must have: a speed, an impulse. `joint` has its `side` beside it.
#[rustfmt::skip]
const FORMS: [(EventKind, &str, &str, &str, [bool; 2]); 11] = [
    (EventKind::ContactStart, "contact start:", "start", "pair", [true, false]),
    (EventKind::ContactEnd, "contact end:", "end", "pair", [false; 2]),
    (EventKind::StopStart, "stop start:", "stop start", "joint", [true, false]),
    (EventKind::StopEnd, "stop end:", "stop end", "joint", [false; 2]),
    (EventKind::Impulse, "impulse:", "impulse", "pair", [false, true]),
    (EventKind::LatchCloses, "latch closes:", "latch closes", "latch", [false, true]),
    (EventKind::LatchOpens, "latch opens:", "latch opens", "latch", [false, true]),
    (EventKind::LatchStops, "latch stops:", "latch stops", "latch", [false, true]),
    (EventKind::TriggerOn, "trigger on:", "trigger on", "trigger", [false; 2]),
    (EventKind::TriggerOff, "trigger off:", "trigger off", "trigger", [false; 2]),
    (EventKind::Jump, "velocity jump:", "jump", "body", [false, true]),
];
const WORK: &str = "integrator:";
const PULSE: &str = "progress:";

impl EventKind {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        let mut forms = FORMS.iter();
        forms.find(|form| form.0 == self).map_or("", |form| form.2)
    }

    /// The kind of this name.
    pub fn of_name(name: &str) -> Option<EventKind> {
        let mut forms = FORMS.iter();
        forms.find(|form| form.2 == name).map(|form| form.0)
    }
}

/// A contact, or an end stop of a joint, that starts or ends; an impulse; a latch; a trigger; a
/// jump of a prescribed velocity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactEvent {
    /// Time [s].
    pub time: f64,
    /// What happens.
    pub kind: EventKind,
    /// The two shapes, `body.shape:body.shape`; the stop, `joint:lower` or `joint:upper`; the latch,
    /// the trigger or the body.
    pub pair: String,
    /// Speed of approach along the normal, or towards the stop, [m/s] or [rad/s] where it started.
    pub impact_speed: Option<f64>,
    /// Impulse in world axes [N.s]: of an impulse on the second shape, of a latch on the child of its
    /// joint, of a jump on the body by what hangs on it.
    pub impulse: Option<[f64; 3]>,
    /// Moment of the impulse of a latch or jump, world axes [N.m.s].
    pub moment: Option<[f64; 3]>,
    /// Jump of the velocity of a body, world axes [m/s].
    pub velocity: Option<[f64; 3]>,
    /// Jump of its angular velocity, world axes [rad/s].
    pub angular_velocity: Option<[f64; 3]>,
}

/// How an integration goes on.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub limit: Option<StepLimit>,
}

/// What keeps internal steps from being longer.
#[derive(Clone, Debug, PartialEq)]
pub enum StepLimit {
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

/// The work of the integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work(pub Statistics);

/// The value of a field.
trait Value: Sized {
    /// As text; `None` is not written.
    fn text(&self) -> Option<String>;
    /// From the text of a field, if there is one.
    fn read(text: Option<&str>) -> Option<Self>;
}

macro_rules! values {
    ($($type:ty: |$value:ident| $write:expr, |$text:ident| $read:expr;)+) => {$(
        impl Value for $type {
            fn text(&self) -> Option<String> {
                let $value = self;
                Some($write)
            }
            fn read(text: Option<&str>) -> Option<$type> {
                let $text = text?;
                $read
            }
        }
    )+};
}

values! {
    f64: |x| format!("{x:?}"), |text| text.parse().ok().filter(|x: &f64| x.is_finite());
    u64: |n| n.to_string(), |text| text.parse().ok();
    bool: |is| u64::from(*is).to_string(), |text| text.parse().ok().map(|n: u64| n != 0);
    String: |name| name.clone(), |text| Some(text.to_owned());
    [f64; 3]: |v| v.map(|x| format!("{x:?}")).join(","), |text| {
        let parts = text.split(',').map(|part| Value::read(Some(part)));
        parts.collect::<Option<Vec<f64>>>()?.try_into().ok()
    };
}

impl<T: Value> Value for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref()?.text()
    }
    fn read(text: Option<&str>) -> Option<Option<T>> {
        match text {
            None => Some(None),
            some => T::read(some).map(Some),
        }
    }
}

/// Writes one field.
fn put(f: &mut fmt::Formatter<'_>, key: &str, value: &impl Value) -> fmt::Result {
    match value.text() {
        Some(text) => write!(f, " {key}={text}"),
        None => Ok(()),
    }
}

/// Reads one field.
fn get<T: Value>(fields: &str, key: &str) -> Option<T> {
    let mut words = fields.split_ascii_whitespace();
    T::read(words.find_map(|word| word.strip_prefix(key)?.strip_prefix('=')))
}

/// Reads a field that must be there, or none.
fn needed<T: Value>(fields: &str, key: &str, is_needed: bool) -> Option<Option<T>> {
    match is_needed {
        true => get(fields, key).map(Some),
        false => Some(None),
    }
}

/// Writes and reads several fields.
trait Fields: Sized {
    fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn get(fields: &str) -> Option<Self>;
}

/// The fields of a type, each with its key, and one that has several keys of its own.
macro_rules! fields {
    ($($type:ident { $($field:ident $key:literal),+ $(; $several:ident)? })+) => {$(
        impl Fields for $type {
            fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(put(f, $key, &self.$field)?;)+
                $(self.$several.put(f)?;)?
                Ok(())
            }
            fn get(fields: &str) -> Option<$type> {
                Some($type {
                    $($field: get(fields, $key)?,)+
                    $($several: Fields::get(fields)?,)?
                })
            }
        }
    )+};
}

fields! {
    Pulse { time "t", step "step", steps "steps", events "events"; limit }
    Strain {
        name "name", depth "depth", stiffness "stiffness", duration "duration", is_angular "angular"
    }
    Statistics {
        steps "steps", rejected_steps "rejected", derivative_calls "derivative_calls",
        direction_calls "direction_calls", indicator_calls "indicator_calls", events "events"
    }
}

/// A limit that is not known is none: later versions may have others.
impl Fields for Option<StepLimit> {
    fn put(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            None => Ok(()),
            Some(StepLimit::Contact(strain)) => {
                f.write_str(" limit=contact")?;
                strain.put(f)
            }
            Some(StepLimit::Error(state, strain)) => {
                write!(f, " limit=error state={state}")?;
                strain.iter().try_for_each(|strain| strain.put(f))
            }
            Some(StepLimit::Events(name)) => {
                f.write_str(" limit=events")?;
                put(f, "name", name)
            }
            Some(StepLimit::LongestStep) => f.write_str(" limit=max_step"),
            Some(StepLimit::Fixed) => f.write_str(" limit=fixed"),
        }
    }

    fn get(fields: &str) -> Option<Option<StepLimit>> {
        Some(match get::<Option<String>>(fields, "limit")?.as_deref() {
            Some("contact") => Some(StepLimit::Contact(Strain::get(fields)?)),
            Some("error") => {
                let state = get(fields, "state")?;
                Some(StepLimit::Error(state, Strain::get(fields)))
            }
            Some("events") => Some(StepLimit::Events(get(fields, "name")?)),
            Some("max_step") => Some(StepLimit::LongestStep),
            Some("fixed") => Some(StepLimit::Fixed),
            _ => None,
        })
    }
}

impl fmt::Display for Pulse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PULSE)?;
        self.put(f)
    }
}

impl Pulse {
    /// The record in a text; none where it has another head.
    ///
    /// # Errors
    /// A field that is missing or cannot be read.
    pub fn read(text: &str) -> Result<Option<Pulse>, String> {
        after(text, PULSE, Fields::get)
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORK)?;
        self.0.put(f)
    }
}

impl Work {
    /// The record in a text; none where it has another head.
    ///
    /// # Errors
    /// A field that is missing or cannot be read.
    pub fn read(text: &str) -> Result<Option<Work>, String> {
        after(text, WORK, |fields| Fields::get(fields).map(Work))
    }
}

impl fmt::Display for ContactEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, head, _, key, _) in FORMS.iter().filter(|form| form.0 == self.kind) {
            f.write_str(head)?;
            put(f, "t", &self.time)?;
            match self.pair.rsplit_once(':').filter(|_| *key == "joint") {
                Some((joint, side)) => write!(f, " joint={joint} side={side}")?,
                None => put(f, key, &self.pair)?,
            }
        }
        put(f, "speed", &self.impact_speed)?;
        put(f, "velocity", &self.velocity)?;
        put(f, "angular_velocity", &self.angular_velocity)?;
        put(f, "impulse", &self.impulse)?;
        put(f, "moment", &self.moment)
    }
}

impl ContactEvent {
    /// The record in a text; none where it has another head.
    ///
    /// # Errors
    /// A field that is missing or cannot be read.
    pub fn read(text: &str) -> Result<Option<ContactEvent>, String> {
        let form = FORMS.iter().find(|form| text.starts_with(form.1));
        let Some((kind, head, _, key, [has_speed, has_impulse])) = form else {
            return Ok(None);
        };
        after(text, head, |fields| {
            let name: String = get(fields, key)?;
            Some(ContactEvent {
                time: get(fields, "t")?,
                kind: *kind,
                pair: match *key {
                    "joint" => format!("{name}:{}", get::<String>(fields, "side")?),
                    _ => name,
                },
                impact_speed: needed(fields, "speed", *has_speed)?,
                impulse: needed(fields, "impulse", *has_impulse)?,
                moment: get(fields, "moment")?,
                velocity: get(fields, "velocity")?,
                angular_velocity: get(fields, "angular_velocity")?,
            })
        })
    }
}

/// What is read of the fields after a head; none where the text has another head.
fn after<T>(
    text: &str,
    head: &str,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    let Some(fields) = text.strip_prefix(head) else {
        return Ok(None);
    };
    let unreadable =
        || format!("the FMU logged {text:?}, which is not in the form this tool knows");
    read(fields).map(Some).ok_or_else(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_start_gives_time_pair_and_speed() {
        let text = "contact start: t=0.4515236409861 pair=ball.ball:ground.plate speed=4.429";
        let event = ContactEvent::read(text).unwrap().unwrap();
        assert_eq!(event.time, 0.4515236409861);
        assert_eq!(event.pair, "ball.ball:ground.plate");
        assert_eq!(event.impact_speed, Some(4.429));
    }

    #[test]
    fn a_contact_end_has_no_speed() {
        let event = ContactEvent::read("contact end: t=1e-7 pair=a.b:c.d").unwrap();
        let event = event.unwrap();
        assert_eq!((event.time, event.impact_speed), (1e-7, None));
    }

    #[test]
    fn a_stop_is_named_by_joint_and_side() {
        let event = ContactEvent::read("stop start: t=0.5 joint=hinge side=lower speed=2.5");
        let event = event.unwrap().unwrap();
        assert_eq!((event.time, event.impact_speed), (0.5, Some(2.5)));
        assert_eq!(
            (event.pair.as_str(), event.kind.name()),
            ("hinge:lower", "stop start")
        );
        let event = ContactEvent::read("stop end: t=1 joint=hinge side=upper").unwrap();
        let event = event.unwrap();
        assert_eq!(
            (event.pair.as_str(), event.kind.name()),
            ("hinge:upper", "stop end")
        );
        assert_eq!((event.kind, event.impact_speed), (EventKind::StopEnd, None));
    }

    #[test]
    fn order_of_fields_and_further_fields_do_not_matter() {
        let event = ContactEvent::read("contact start: speed=1 depth=2 pair=a:b t=3 point=0,0,0");
        let event = event.unwrap().unwrap();
        assert_eq!((event.time, event.impact_speed), (3.0, Some(1.0)));
    }

    #[test]
    fn other_texts_are_passed_over() {
        for text in ["", "event: t=1", "contact", "Contact start: t=1"] {
            assert_eq!(ContactEvent::read(text), Ok(None));
            assert_eq!(Work::read(text), Ok(None));
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
            assert!(ContactEvent::read(text).unwrap_err().contains(text));
        }
        let text = "integrator: steps=1 rejected=2 derivative_calls=3 direction_calls=6";
        assert!(Work::read(text).unwrap_err().contains(text));
        assert!(Work::read("integrator: steps=-1").is_err());
    }

    #[test]
    fn a_trigger_has_a_name_and_no_numbers() {
        for (text, name) in [
            ("trigger on: t=1.5 trigger=gate", "trigger on"),
            ("trigger off: t=1.5 trigger=gate", "trigger off"),
        ] {
            let event = ContactEvent::read(text).unwrap().unwrap();
            assert_eq!(
                (event.time, event.kind.name(), event.pair.as_str()),
                (1.5, name, "gate")
            );
            assert_eq!((event.impact_speed, event.impulse), (None, None));
            assert_eq!(EventKind::of_name(name), Some(event.kind));
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
            let event = ContactEvent::read(text).unwrap().unwrap();
            assert_eq!(
                (event.time, event.kind.name(), event.pair.as_str()),
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
            let pulse = Pulse::read(&text).unwrap().unwrap();
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
        assert_eq!(of(contact), Some(StepLimit::Contact(strain.clone())));
        let beside = contact.replace("contact", "error state=a.velocity[3]");
        let error = |strain| Some(StepLimit::Error("a.velocity[3]".into(), strain));
        assert_eq!(of(&beside), error(Some(strain)));
        assert_eq!(of("limit=error state=a.velocity[3]"), error(None));
        assert_eq!(of("limit=events"), Some(StepLimit::Events(None)));
        assert_eq!(of("limit=max_step"), Some(StepLimit::LongestStep));
        assert_eq!(of("limit=fixed"), Some(StepLimit::Fixed));
        assert_eq!(of("limit=unheard_of"), None);
        assert_eq!(of(""), None);
        assert!(Pulse::read("progress: t=1 step=1 steps=1").is_err());
        assert!(Pulse::read("progress: t=1 step=1 steps=1 events=1 limit=error").is_err());
        assert_eq!(Pulse::read("integrator: steps=1"), Ok(None));
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
        assert_eq!(Work::read(text), Ok(Some(Work(expected))));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (kind, _, name, key, [has_speed, has_impulse]) in FORMS {
            let event = ContactEvent {
                time: 0.1 + 0.2,
                kind,
                pair: if key == "joint" {
                    "a:lower"
                } else {
                    "a.b:c.d#2"
                }
                .to_owned(),
                impact_speed: has_speed.then_some(-0.0),
                impulse: has_impulse.then_some([1e-300, 2.0, -3.5]),
                moment: (key == "latch").then_some([0.0, 1.0 / 3.0, 1e9]),
                velocity: (name == "jump").then_some([1.0; 3]),
                ..ContactEvent::default()
            };
            assert_eq!(ContactEvent::read(&event.to_string()), Ok(Some(event)));
        }
        let strain = Strain {
            name: "arm:upper".to_owned(),
            depth: 1e-5,
            stiffness: 2e7,
            duration: 0.1 + 0.2,
            is_angular: true,
        };
        for limit in [
            StepLimit::Contact(strain.clone()),
            StepLimit::Error("arm.velocity[2]".to_owned(), None),
            StepLimit::Error("arm.velocity[2]".to_owned(), Some(strain)),
            StepLimit::Events(None),
            StepLimit::Events(Some("a.b:c.d".to_owned())),
            StepLimit::LongestStep,
            StepLimit::Fixed,
        ] {
            let pulse = Pulse {
                time: 1.5,
                step: 1e-7,
                steps: u64::MAX,
                events: 3,
                limit: Some(limit),
            };
            assert_eq!(Pulse::read(&pulse.to_string()), Ok(Some(pulse)));
        }
    }
}
