//! A breach of the rules.

use std::fmt;
use std::path::PathBuf;

/// Problems that one file is told at most; more are of one cause.
const MOST: usize = 10;

/// A breach of the rules, or what only deserves a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// File or folder.
    pub file: PathBuf,
    /// Line from 1; none for the file as a whole.
    pub line: Option<usize>,
    /// What is wrong and what to do.
    pub text: String,
    /// A recommendation that is not followed, no breach.
    pub is_advice: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        let word = if self.is_advice { " advice:" } else { "" };
        write!(f, ":{word} {}", self.text)
    }
}

/// The problems of one file, in the order in which they are found.
#[derive(Debug)]
pub struct Found {
    file: PathBuf,
    list: Vec<Problem>,
    more: usize,
}

impl Found {
    /// None yet, of this file.
    pub fn of(file: impl Into<PathBuf>) -> Found {
        Found {
            file: file.into(),
            list: Vec::new(),
            more: 0,
        }
    }

    /// Adds a breach at a line.
    pub fn at(&mut self, line: usize, text: impl Into<String>) {
        self.add(Some(line), text.into(), false);
    }

    /// Adds a breach of the file as a whole.
    pub fn whole(&mut self, text: impl Into<String>) {
        self.add(None, text.into(), false);
    }

    /// Adds what only deserves a word.
    pub fn advice(&mut self, text: impl Into<String>) {
        self.add(None, text.into(), true);
    }

    fn add(&mut self, line: Option<usize>, text: String, is_advice: bool) {
        if self.list.len() == MOST {
            self.more += 1;
            return;
        }
        self.list.push(Problem {
            file: self.file.clone(),
            line,
            text,
            is_advice,
        });
    }

    /// All of them; where there are too many, the first ones and the number of the others.
    pub fn list(self) -> Vec<Problem> {
        let mut list = self.list;
        if self.more > 0 {
            list.push(Problem {
                file: self.file,
                line: None,
                text: format!("{} more problems like these", self.more),
                is_advice: false,
            });
        }
        list
    }
}
