//! A browser in the hands of a test: the WebDriver protocol (W3C, 2018) over loopback, spoken to
//! `chromedriver` by hand.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Keys as WebDriver spells them.
pub const HOME: &str = "\u{e011}";
pub const END: &str = "\u{e010}";
pub const RIGHT: &str = "\u{e014}";
pub const SHIFT: &str = "\u{e008}";

/// The name of an element in answers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Chromium without a window, and the driver that leads it. Both end when it is dropped.
pub struct Browser {
    driver: Child,
    /// Kept open, so that the driver can go on speaking.
    said: Option<BufReader<ChildStdout>>,
    port: u16,
    session: Option<String>,
    profile: PathBuf,
}

/// The first program of these names in the path.
fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|file| file.is_file())
}

/// Drivers started before giving up.
const TRIES: usize = 3;

impl Browser {
    /// Starts a browser; none where none is installed.
    pub fn start() -> Option<Self> {
        let chromium = program(&["chromium", "chromium-browser", "google-chrome"])?;
        let driver = program(&["chromedriver"])?;
        // A port that is free for one protocol may be taken for the other: then the driver ends.
        let listening = (0..TRIES).find_map(|_| Self::drive(&driver));
        let mut browser = listening.expect("the driver ends before it says its port");
        browser.open(&chromium);
        Some(browser)
    }

    /// A driver that listens; none where it ends before.
    fn drive(driver: &Path) -> Option<Self> {
        let driver = Command::new(driver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let profile = std::env::temp_dir().join(format!("delassus_browser_{}", driver.id()));
        let mut browser = Self { driver, said: None, port: 0, session: None, profile };
        browser.learn_port();
        (browser.port > 0).then_some(browser)
    }

    fn learn_port(&mut self) {
        let mut said = BufReader::new(self.driver.stdout.take().unwrap());
        let mut line = String::new();
        while self.port == 0 {
            line.clear();
            if said.read_line(&mut line).unwrap() == 0 {
                return;
            }
            if let Some((_, number)) = line.trim().split_once("successfully on port ") {
                self.port = number.trim_end_matches('.').parse().unwrap();
            }
        }
        self.said = Some(said);
    }

    fn open(&mut self, chromium: &Path) {
        let profile = format!("--user-data-dir={}", self.profile.display());
        let mut arguments = vec![
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1200,1000",
        ];
        arguments.push(&profile);
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": { "binary": chromium, "args": arguments },
        }}});
        let answer = self.call("POST", "/session", &capabilities);
        self.session = Some(answer["sessionId"].as_str().unwrap().to_string());
    }

    /// One command; its value.
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_call(method, path, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    fn try_call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let told = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(told)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(told)?;
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let (port, length) = (self.port, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .map_err(told)?;
        let mut answer = BufReader::new(stream);
        let (mut line, mut length) = (String::new(), None);
        while answer.read_line(&mut line).map_err(told)? > 2 {
            if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = number.trim().parse().ok();
            }
            line.clear();
        }
        let mut text = vec![0; length.ok_or("an answer without a length")?];
        answer.read_exact(&mut text).map_err(told)?;
        let mut answer: Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["message"])),
            None => Ok(value),
        }
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let session = self.session.as_deref().unwrap();
        self.call(method, &format!("/session/{session}{path}"), body)
    }

    /// Loads a file, until the page says that it is loaded.
    pub fn load(&self, file: &Path) {
        self.command("POST", "/url", &json!({ "url": format!("file://{}", file.display()) }));
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.command("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until a script returns true.
    pub fn wait(&self, script: &str) {
        let start = Instant::now();
        while self.run(script) != Value::Bool(true) {
            assert!(start.elapsed() < PATIENCE, "it never came true: {script}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn element(&self, selector: &str) -> String {
        let query = json!({ "using": "css selector", "value": selector });
        let found = self.command("POST", "/element", &query);
        found[ELEMENT].as_str().unwrap().to_string()
    }

    /// Presses keys one after the other on an element that has the focus; shift stays down to the end.
    pub fn keys(&self, selector: &str, keys: &str) {
        self.run(&format!("document.querySelector('{selector}').focus()"));
        let press = |key: char| json!({ "type": "keyDown", "value": key.to_string() });
        let release = |key: char| json!({ "type": "keyUp", "value": key.to_string() });
        let is_shift = |key: &char| SHIFT.starts_with(*key);
        let mut strokes: Vec<Value> = Vec::new();
        for key in keys.chars() {
            strokes.push(press(key));
            if !is_shift(&key) {
                strokes.push(release(key));
            }
        }
        strokes.extend(keys.chars().filter(is_shift).map(release));
        let hand = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.command("POST", "/actions", &json!({ "actions": [hand] }));
    }

    /// Clicks on an element.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.command("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Moves the pointer over an element, by so many pixels from its middle, and with the button down by
    /// so many more.
    pub fn drag(&self, selector: &str, from: [i64; 2], by: Option<[i64; 2]>) {
        let origin = json!({ ELEMENT: self.element(selector) });
        let go = |[x, y]: [i64; 2]| json!({ "type": "pointerMove", "duration": 50, "origin": origin, "x": x, "y": y });
        let mut moves = vec![go(from)];
        if let Some(by) = by {
            moves.push(json!({ "type": "pointerDown", "button": 0 }));
            moves.push(go([from[0] + by[0], from[1] + by[1]]));
            moves.push(json!({ "type": "pointerUp", "button": 0 }));
        }
        let hand = json!({ "type": "pointer", "id": "hand", "actions": moves });
        self.command("POST", "/actions", &json!({ "actions": [hand] }));
    }

    /// The window as PNG in base64.
    pub fn screenshot(&self) -> String {
        self.command("GET", "/screenshot", &Value::Null).as_str().unwrap().to_string()
    }

    /// The page as PDF in base64.
    pub fn print(&self) -> String {
        self.command("POST", "/print", &json!({})).as_str().unwrap().to_string()
    }

    /// What the page said to the console.
    pub fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(Value::to_string).collect()
    }

    /// Addresses that pages from files asked for; the browser's own pages do not count.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.log("performance");
        let address = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let (event, asked) = (&message["message"], &message["message"]["params"]);
            let from_file = asked["documentURL"].as_str()?.starts_with("file://");
            let is_request = event["method"] == "Network.requestWillBeSent" && from_file;
            Some(asked["request"]["url"].as_str()?.to_string()).filter(|_| is_request)
        };
        entries.iter().filter_map(address).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.command("POST", "/se/log", &json!({ "type": kind }));
        entries.as_array().unwrap().clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A session that is closed ends its browser; nothing to be done where that fails.
        if let Some(session) = self.session.take() {
            let _ = self.try_call("DELETE", &format!("/session/{session}"), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
