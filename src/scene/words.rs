//! Words of messages: counts, what others wrote, numbers with units.

/// A count with its noun, in the plural unless there is one.
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}

/// A number as scenes have it.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || (1e-2..1e5).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}

/// A text of unknown content, with what would steer a terminal written out.
pub(crate) fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// Units that people write behind numbers, and the power of ten that makes SI units of them.
const UNITS: [(&str, i32); 24] = [
    ("m", 0),
    ("s", 0),
    ("kg", 0),
    ("N", 0),
    ("Pa", 0),
    ("deg", 0),
    ("km", 3),
    ("cm", -2),
    ("mm", -3),
    ("um", -6),
    ("µm", -6),
    ("nm", -9),
    ("ms", -3),
    ("us", -6),
    ("µs", -6),
    ("ns", -9),
    ("g", -3),
    ("mg", -6),
    ("kN", 3),
    ("cN", -2),
    ("mN", -3),
    ("kPa", 3),
    ("MPa", 6),
    ("GPa", 9),
];

/// What is wrong with a number that has something behind it, as `1ms` has.
pub(crate) fn number_with_unit(word: &str) -> Option<String> {
    let is_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
    let cut = word.char_indices().map(|(at, _)| at).rev().find(|&at| is_number(&word[..at]))?;
    let (digits, unit) = (&word[..cut], word[cut..].trim_start());
    if is_number(word) || !unit.starts_with(char::is_alphabetic) {
        return None;
    }
    let power = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, power)| power);
    let meant = power.and_then(|p| format!("{digits}e{p}").parse::<f64>().ok());
    let meant = meant.map_or_else(String::new, |value| format!(": `{}` for `{word}`", number(value)));
    Some(format!("found `{word}`, but numbers stand without units, in SI units (m, s, kg, N, Pa){meant}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0u64, 1, 2].map(|n| counted(n, "step")), ["0 steps", "1 step", "2 steps"]);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(escaped("a\u{1b}[31m\nü"), "a\\u{1b}[31m\\nü");
    }

    #[test]
    fn units_are_taken_apart_from_their_numbers() {
        let end = |word| number_with_unit(word).map(|m| m.rsplit(')').next().unwrap_or_default().to_owned());
        assert_eq!(end("1ms").unwrap(), ": `1e-3` for `1ms`");
        assert_eq!(end("-0.3 mm").unwrap(), ": `-3e-4` for `-0.3 mm`");
        assert_eq!(end("1.5e2GPa").unwrap(), "");
        assert_eq!(end("5x").unwrap(), "");
        for word in ["1", "1e-3", "ms", "-", "2.5", "x1", "infinite", "1_000"] {
            assert_eq!(end(word), None, "{word}");
        }
    }
}
