//! How much memory there is and was, from Linux's /proc; unknown elsewhere.

/// Peak resident memory of this process in bytes.
pub(super) fn peak() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:").map(|kilobytes| 1024 * kilobytes)
}

/// Bytes that can be had without swapping: what is free, and not more than the control group allows.
pub fn available() -> Option<u64> {
    let free = kilobytes("/proc/meminfo", "MemAvailable:").map(|kilobytes| 1024 * kilobytes);
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    let allowed = limit.map(|limit| limit.saturating_sub(used));
    match (free, allowed) {
        (Some(free), Some(allowed)) => Some(free.min(allowed)),
        (free, allowed) => free.or(allowed),
    }
}

fn kilobytes(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
