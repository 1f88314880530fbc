//! Tables of a run, written during the run: each with a name that ends with `.partial` until its end. Results
//! of an earlier run remain until then, so that rows of two runs are never mixed.

use super::watch::{Leftover, Rows};
use fmu_host::trajectory::Seen;
use fmu_host::whole_file::{replaceable, write_whole};
use fmu_host::{ContactEvent, Trajectory};
use fmu_view::report::table;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const UNFINISHED: &str = ".partial";

/// Growing file under a temporary name; removed unless renamed.
struct Growing {
    path: PathBuf,
    partial: PathBuf,
    file: File,
    _leftover: Leftover,
}

impl Growing {
    fn create(path: &Path) -> io::Result<Growing> {
        let mut partial = OsString::from(path);
        partial.push(UNFINISHED);
        let partial = replaceable(Path::new(&partial))?;
        Ok(Growing {
            path: replaceable(path)?,
            file: File::create(&partial)?,
            _leftover: Leftover::new(&partial),
            partial,
        })
    }

    fn finish(&self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        // There is none where it has its own name.
        let _ = fs::remove_file(&self.partial);
    }
}

/// Tables of a run in a folder, which is created with the first row.
pub(super) struct Tables {
    folder: PathBuf,
    rows: PathBuf,
    /// `None` if the FMU does not report contacts.
    contacts: Option<PathBuf>,
    open: Option<(Growing, Option<Growing>)>,
    written: (usize, usize),
}

impl Tables {
    /// Tables of rows, and of contacts if there is a file name for them.
    pub(crate) fn new(folder: &Path, rows: &str, contacts: Option<&str>) -> Tables {
        Tables {
            folder: folder.to_owned(),
            rows: folder.join(rows),
            contacts: contacts.map(|name| folder.join(name)),
            open: None,
            written: (0, 0),
        }
    }

    /// Writes the rest and renames the files, which it returns.
    ///
    /// # Errors
    /// Text: a file cannot be written; then none is renamed.
    pub(crate) fn finish(
        &mut self,
        trajectory: &Trajectory,
        contacts: &[ContactEvent],
    ) -> Result<Vec<PathBuf>, String> {
        self.write(trajectory, contacts)?;
        let Some((rows, events)) = self.open.take() else {
            return Ok(Vec::new());
        };
        for file in [Some(&rows), events.as_ref()].into_iter().flatten() {
            file.finish().map_err(|e| cannot_write(&file.path, &e))?;
        }
        Ok([Some(rows), events]
            .into_iter()
            .flatten()
            .map(|file| file.path.clone())
            .collect())
    }

    fn write(&mut self, trajectory: &Trajectory, contacts: &[ContactEvent]) -> Result<(), String> {
        let of = |path: &Path, e: io::Error| cannot_write(path, &e);
        if self.open.is_none() {
            make_folder(&self.folder)?;
            let create = |path: &PathBuf, head: io::Result<Vec<u8>>| {
                let file = Growing::create(path);
                let file = file.and_then(|mut growing| {
                    growing.file.write_all(&head?)?;
                    Ok(growing)
                });
                file.map_err(|e| of(path, e))
            };
            let rows = create(&self.rows, table::head(trajectory.columns()))?;
            let events = self.contacts.as_ref();
            let events = events.map(|path| create(path, table::contacts_head()));
            self.open = Some((rows, events.transpose()?));
        }
        let Some((rows, events)) = &mut self.open else {
            return Ok(());
        };
        let text = table::rows(trajectory, self.written.0);
        let done = text.and_then(|text| rows.file.write_all(&text));
        done.map_err(|e| of(&rows.path, e))?;
        self.written.0 = trajectory.times().len();
        if let Some(events) = events {
            let new = contacts.get(self.written.1..).unwrap_or_default();
            let done = table::contact_rows(new).and_then(|text| events.file.write_all(&text));
            done.map_err(|e| of(&events.path, e))?;
            self.written.1 = contacts.len();
        }
        Ok(())
    }
}

/// None where results are not kept.
impl Rows for Option<Tables> {
    fn take(&mut self, seen: &Seen) -> Result<(), String> {
        self.as_mut().map_or(Ok(()), |tables| tables.take(seen))
    }
}

impl Rows for Tables {
    fn take(&mut self, seen: &Seen) -> Result<(), String> {
        // The run has taken out its result, which comes to `finish`.
        if seen.trajectory.times().len() < self.written.0 {
            return Ok(());
        }
        let new_row = seen.trajectory.times().len() > self.written.0;
        let new_contact = self.open.is_some() && seen.contacts.len() > self.written.1;
        match new_row || new_contact {
            true => self.write(&seen.trajectory, &seen.contacts),
            false => Ok(()),
        }
    }
}

/// Creates a folder with its parents.
///
/// # Errors
/// Text: it cannot be created.
pub(super) fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder)
        .map_err(|e| format!("cannot make the folder {}: {e}", folder.display()))
}

/// Writes a file completely or not at all.
///
/// # Errors
/// Text: it cannot be written.
pub(super) fn write(file: &Path, content: &[u8]) -> Result<(), String> {
    write_whole(file, content).map_err(|e| cannot_write(file, &e))
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_core::instance::record::EventKind;
    use fmu_host::Column;
    use fmu_host::Live;
    use tempfile::TempDir;

    fn trajectory(rows: usize) -> Trajectory {
        let column = Column {
            name: "x".into(),
            unit: None,
            description: None,
        };
        let mut trajectory = Trajectory::new(vec![column]);
        (0..rows).for_each(|i| trajectory.push(i as f64, &[0.5 * i as f64]));
        trajectory
    }

    fn event(time: f64) -> ContactEvent {
        ContactEvent {
            time,
            kind: EventKind::ContactEnd,
            pair: "a:b".into(),
            ..ContactEvent::default()
        }
    }

    #[test]
    fn rows_grow_beside_the_old_table_which_keeps_its_name_until_the_end() {
        let folder = TempDir::new().unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        fs::write(folder.path().join("a.csv"), "old").unwrap();
        let mut tables = Tables::new(folder.path(), "a.csv", Some("events.csv"));
        let live = Live::default();
        for rows in [2, 2, 3] {
            live.seen().trajectory = trajectory(rows);
            tables.take(&live.seen()).unwrap();
        }
        assert_eq!(read("a.csv.partial").unwrap(), "time,x\n0,0\n1,0.5\n2,1\n");
        assert_eq!(read("a.csv").as_deref(), Some("old"));
        let files = tables.finish(&trajectory(4), &[event(0.5)]).unwrap();
        let names = ["a.csv", "events.csv"].map(|name| folder.path().join(name));
        assert_eq!(files, names);
        assert_eq!(read("a.csv").unwrap(), "time,x\n0,0\n1,0.5\n2,1\n3,1.5\n");
        assert!(read("events.csv").unwrap().ends_with("\n0.5,end,a:b,,,,\n"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// A run takes its rows out when it ends, a while before its result arrives.
    #[test]
    fn rows_that_the_run_has_taken_out_are_not_written_twice() {
        let folder = TempDir::new().unwrap();
        let mut tables = Tables::new(folder.path(), "a.csv", Some("events.csv"));
        let live = Live::default();
        live.seen().trajectory = trajectory(3);
        tables.take(&live.seen()).unwrap();
        live.seen().trajectory = Trajectory::new(Vec::new());
        live.seen().contacts.push(event(2.5));
        tables.take(&live.seen()).unwrap();
        tables.finish(&trajectory(4), &[event(2.5)]).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("a.csv"), "time,x\n0,0\n1,0.5\n2,1\n3,1.5\n");
        assert_eq!(read("events.csv").lines().count(), 2);
    }

    #[test]
    fn tables_that_are_not_finished_leave_what_was_there() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        let mut tables = Tables::new(folder.path(), "a.csv", None);
        let live = Live::default();
        live.seen().trajectory = trajectory(2);
        tables.take(&live.seen()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        drop(tables);
        assert_eq!(fs::read_to_string(path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_table_does_not_take_the_place_of_what_is_no_file() {
        let folder = TempDir::new().unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("a.csv")).unwrap();
        let mut tables = Tables::new(folder.path(), "a.csv", None);
        let error = tables.finish(&trajectory(1), &[]).unwrap_err();
        assert!(error.contains("no regular file"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn no_row_makes_no_folder_and_a_folder_that_cannot_be_made_is_an_error() {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("out");
        let mut tables = Tables::new(&out, "a.csv", None);
        tables.take(&Live::default().seen()).unwrap();
        assert!(!out.exists());
        fs::write(&out, "a file").unwrap();
        let error = tables.finish(&trajectory(1), &[]).unwrap_err();
        assert!(error.starts_with("cannot make the folder"), "{error}");
    }
}
