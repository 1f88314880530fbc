//! Records: log messages for programs, in the form in which an instance writes them and a tool reads them.
//!
//! A record is a head, followed by fields `key=value`, each after a space. A value has no space; the
//! components of a vector are separated by commas. Readers accept fields in any order and ignore unknown
//! keys, so that later versions may add some; an `Option` may be missing.
//!
//! - [`ContactEvent`]: one for each change at an event, in the forms of `FORMS`
//! - [`Pulse`]: progress of the internal steps at intervals, and their limit
//! - [`Statistics`], the work of the integrator: one when Co-Simulation terminates

use crate::instance::log::{Category, Log};
use contact_model::integrator::Statistics;

/// Kind of a change at an event.
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
    /// A latch locks its joint.
    LatchCloses,
    /// A latch releases its joint.
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

/// Kind of event, head of its record, name in tables, key of its subject, and whether it has a speed and an
/// impulse. `joint` is followed by its `side`.
#[rustfmt::skip]
type Form = (EventKind, &'static str, &'static str, &'static str, [bool; 2]);

#[rustfmt::skip]
const FORMS: [Form; 11] = [
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

impl EventKind {
    fn form(self) -> &'static Form {
        let mut forms = FORMS.iter();
        forms.find(|form| form.0 == self).unwrap_or(&FORMS[0])
    }

    /// Name in tables.
    pub fn name(self) -> &'static str {
        self.form().2
    }

    /// Kind with this name in tables.
    pub fn of_name(name: &str) -> Option<EventKind> {
        let mut forms = FORMS.iter();
        forms.find(|form| form.2 == name).map(|form| form.0)
    }
}

/// Change at an event: of a contact, an end stop, a latch or a trigger; an impulse; a jump of a prescribed
/// velocity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactEvent {
    /// Time [s].
    pub time: f64,
    /// Kind of the change.
    pub kind: EventKind,
    /// The two shapes, `body.shape:body.shape`; the stop, `joint:lower` or `joint:upper`; the latch, the
    /// trigger or the body.
    pub pair: String,
    /// Approach speed at the start, along the normal or towards the stop [m/s] or [rad/s].
    pub impact_speed: Option<f64>,
    /// Impulse, world axes [N.s]: on the second shape; of a latch on the child of its joint; of a jump on the
    /// body by the trees attached to it.
    pub impulse: Option<[f64; 3]>,
    /// Moment of the impulse of a latch or jump, world axes [N.m.s].
    pub moment: Option<[f64; 3]>,
    /// Jump of the velocity of a body, world axes [m/s].
    pub velocity: Option<[f64; 3]>,
    /// Jump of its angular velocity, world axes [rad/s].
    pub angular_velocity: Option<[f64; 3]>,
}

/// Progress of an integration.
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
    /// Limit of the internal steps, if known.
    pub limit: Option<StepLimit>,
}

/// Limit of the internal steps.
#[derive(Clone, Debug, PartialEq)]
pub enum StepLimit {
    /// A stiff contact, or an end stop of a joint.
    Contact(Strain),
    /// Error of a state, by its name, and the stiffest contact.
    Error(String, Option<Strain>),
    /// Events in quick succession; the last contact, stop, latch or trigger that changed, if known.
    Events(Option<String>),
    /// Maximum step.
    LongestStep,
    /// Fixed step, from the stiffest possible contact.
    Fixed,
}

/// Contact or end stop under load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strain {
    /// Shapes of the pair, `body.shape:body.shape`, or `joint:lower` or `joint:upper`.
    pub name: String,
    /// Depth [m] or [rad].
    pub depth: f64,
    /// Stiffness [N/m] or [N.m/rad].
    pub stiffness: f64,
    /// Time scale of the force [s].
    pub duration: f64,
    /// Whether it is an end stop of an angle.
    pub is_angular: bool,
}

/// Value of a field.
pub trait Value: Sized {
    /// As text; `None` is omitted.
    fn text(&self) -> Option<String>;
    /// Value from the text of a field, if present.
    fn of(text: Option<&str>) -> Option<Self>;
}

macro_rules! values {
    ($($type:ty: |$value:ident| $write:expr, |$text:ident| $read:expr;)+) => {$(
        impl Value for $type {
            fn text(&self) -> Option<String> {
                let $value = self;
                Some($write)
            }
            fn of(text: Option<&str>) -> Option<$type> {
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
        let parts = text.split(',').map(|part| Value::of(Some(part)));
        parts.collect::<Option<Vec<f64>>>()?.try_into().ok()
    };
}

impl<T: Value> Value for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref()?.text()
    }
    fn of(text: Option<&str>) -> Option<Option<T>> {
        match text {
            None => Some(None),
            some => T::of(some).map(Some),
        }
    }
}

/// Fields of a line, being written or read: two types, so that an FMU, which writes only, has no parser.
pub trait Fields {
    /// Whether they are read.
    const ARE_READ: bool;

    /// Writes or reads a field; `None` if it is missing or invalid.
    fn field(&mut self, key: &str, value: &mut impl Value) -> Option<()>;
}

struct Written(String);

struct Read<'a>(&'a str);

impl Fields for Written {
    const ARE_READ: bool = false;

    fn field(&mut self, key: &str, value: &mut impl Value) -> Option<()> {
        let text = value.text();
        self.0.extend(text.map(|text| format!(" {key}={text}")));
        Some(())
    }
}

impl Fields for Read<'_> {
    const ARE_READ: bool = true;

    fn field(&mut self, key: &str, value: &mut impl Value) -> Option<()> {
        let mut words = self.0.split_ascii_whitespace();
        let text = words.find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        *value = Value::of(text)?;
        Some(())
    }
}

/// Message that is logged as one line and can be read back.
pub trait Record: Clone + Default {
    /// Log category.
    const CATEGORY: Category;

    /// First words of the line.
    fn head(&self) -> &'static str;

    /// Writes or reads all fields; `None` if one is missing or invalid.
    fn fields<F: Fields>(&mut self, fields: &mut F) -> Option<()>;

    /// Record for a line with this head, with default fields.
    fn of_head(line: &str) -> Option<Self> {
        Some(Self::default()).filter(|record| line.starts_with(record.head()))
    }

    /// Line of the log.
    fn line(&self) -> String {
        let mut line = Written(self.head().to_owned());
        let _ = self.clone().fields(&mut line);
        line.0
    }

    /// Reads a line; `None` if it has another head.
    ///
    /// # Errors
    /// A missing or invalid field.
    fn read(line: &str) -> Result<Option<Self>, String> {
        let Some(mut record) = Self::of_head(line) else {
            return Ok(None);
        };
        let fields = line.get(record.head().len()..).unwrap_or_default();
        match record.fields(&mut Read(fields)) {
            Some(()) => Ok(Some(record)),
            None => Err(format!(
                "the FMU logged {line:?}, which is not in the form this tool knows"
            )),
        }
    }
}

/// Logs a record, which is made only if its category is on.
pub(super) fn tell<R: Record>(log: &Log, record: impl FnOnce() -> R) {
    log.info(R::CATEGORY, || record().line());
}

impl Record for ContactEvent {
    const CATEGORY: Category = Category::Contacts;

    fn head(&self) -> &'static str {
        self.kind.form().1
    }

    fn of_head(line: &str) -> Option<ContactEvent> {
        let form = FORMS.iter().find(|form| line.starts_with(form.1))?;
        Some(ContactEvent {
            kind: form.0,
            ..ContactEvent::default()
        })
    }

    fn fields<F: Fields>(&mut self, fields: &mut F) -> Option<()> {
        let (.., key, [has_speed, has_impulse]) = self.kind.form();
        fields.field("t", &mut self.time)?;
        if *key == "joint" {
            let (joint, side) = self.pair.rsplit_once(':').unwrap_or_default();
            let (mut joint, mut side) = (joint.to_owned(), side.to_owned());
            fields.field(key, &mut joint)?;
            fields.field("side", &mut side)?;
            self.pair = format!("{joint}:{side}");
        } else {
            fields.field(key, &mut self.pair)?;
        }
        if *has_speed {
            fields.field("speed", self.impact_speed.get_or_insert_default())?;
        }
        fields.field("velocity", &mut self.velocity)?;
        fields.field("angular_velocity", &mut self.angular_velocity)?;
        if *has_impulse {
            fields.field("impulse", self.impulse.get_or_insert_default())?;
        }
        fields.field("moment", &mut self.moment)
    }
}

impl Record for Statistics {
    const CATEGORY: Category = Category::Integrator;

    fn head(&self) -> &'static str {
        "integrator:"
    }

    fn fields<F: Fields>(&mut self, fields: &mut F) -> Option<()> {
        fields.field("steps", &mut self.steps)?;
        fields.field("rejected", &mut self.rejected_steps)?;
        fields.field("derivative_calls", &mut self.derivative_calls)?;
        fields.field("direction_calls", &mut self.direction_calls)?;
        fields.field("indicator_calls", &mut self.indicator_calls)?;
        fields.field("events", &mut self.events)
    }
}

impl Record for Pulse {
    const CATEGORY: Category = Category::Progress;

    fn head(&self) -> &'static str {
        "progress:"
    }

    fn fields<F: Fields>(&mut self, fields: &mut F) -> Option<()> {
        fields.field("t", &mut self.time)?;
        fields.field("step", &mut self.step)?;
        fields.field("steps", &mut self.steps)?;
        fields.field("events", &mut self.events)?;
        let mut word = self.limit.as_ref().map(|limit| limit.word().to_owned());
        fields.field("limit", &mut word)?;
        if F::ARE_READ {
            self.limit = word.and_then(|word| StepLimit::of_word(&word));
        }
        match &mut self.limit {
            Some(StepLimit::Contact(strain)) => strain.fields(fields),
            Some(StepLimit::Error(state, strain)) => {
                fields.field("state", state)?;
                strain.take_if(|strain| strain.fields(fields).is_none());
                Some(())
            }
            Some(StepLimit::Events(name)) => fields.field("name", name),
            _ => Some(()),
        }
    }
}

impl StepLimit {
    fn word(&self) -> &'static str {
        match self {
            StepLimit::Contact(_) => "contact",
            StepLimit::Error(..) => "error",
            StepLimit::Events(_) => "events",
            StepLimit::LongestStep => "max_step",
            StepLimit::Fixed => "fixed",
        }
    }

    /// Limit with this name, with default fields; `None` for names of later versions.
    fn of_word(word: &str) -> Option<StepLimit> {
        let (state, strain) = (String::new(), Strain::default());
        let limits = [
            StepLimit::Contact(strain.clone()),
            StepLimit::Error(state, Some(strain)),
            StepLimit::Events(None),
            StepLimit::LongestStep,
            StepLimit::Fixed,
        ];
        limits.into_iter().find(|limit| limit.word() == word)
    }
}

impl Strain {
    fn fields<F: Fields>(&mut self, fields: &mut F) -> Option<()> {
        fields.field("name", &mut self.name)?;
        fields.field("depth", &mut self.depth)?;
        fields.field("stiffness", &mut self.stiffness)?;
        fields.field("duration", &mut self.duration)?;
        fields.field("angular", &mut self.is_angular)
    }
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
            assert_eq!(Statistics::read(text), Ok(None));
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
        assert!(Statistics::read(text).unwrap_err().contains(text));
        assert!(Statistics::read("integrator: steps=-1").is_err());
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
        assert_eq!(Statistics::read(text), Ok(Some(expected)));
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
            assert_eq!(ContactEvent::read(&event.line()), Ok(Some(event)));
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
            assert_eq!(Pulse::read(&pulse.line()), Ok(Some(pulse)));
        }
    }
}
