//! The `delassus` command.

use delassus::cli::main;
