//! Values that a scene is run with in turn.

/// A path of a scene and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Vary {
    path: String,
    values: Vec<String>,
}

/// One value for each path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Variation(Vec<(String, String)>);

impl Vary {
    /// Reads `PATH=V1,V2,...`; commas within brackets or quotes part no values.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = "expected a path and its values, as in damping.stretch=0.001,0.01,0.1";
        let (path, list) = text.split_once('=').ok_or(wrong)?;
        let values: Vec<String> = split(list).into_iter().map(|v| v.trim().to_owned()).collect();
        if path.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong.into());
        }
        Ok(Self { path: path.trim().into(), values })
    }
}

/// The parts between commas that are in no brackets and quotes.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut start) = (0, false, 0);
    let mut parts = Vec::new();
    for (k, c) in list.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&list[start..k]);
                start = k + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// Every value of each path with every one of the others, the last path changing first.
pub(super) fn combinations(all: &[Vary]) -> Vec<Variation> {
    let mut out = vec![Variation::default()];
    for vary in all {
        let with = |v: &Variation, value: &String| {
            Variation(v.0.iter().cloned().chain([(vary.path.clone(), value.clone())]).collect())
        };
        out = out.iter().flat_map(|v| vary.values.iter().map(move |value| with(v, value))).collect();
    }
    out
}

impl Variation {
    /// As arguments of `--set`.
    pub(super) fn settings(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|(path, value)| format!("{path}={value}"))
    }

    /// What tells it from the others.
    pub(super) fn label(&self) -> String {
        self.0.iter().map(|(path, value)| format!("{path} = {value}")).collect::<Vec<_>>().join(", ")
    }

    /// The same as part of the name of a folder.
    pub(super) fn file_name(&self) -> String {
        let text = self.settings().collect::<Vec<_>>().join("_");
        let plain = |c: char| if c.is_ascii_alphanumeric() || "=.-".contains(c) { c } else { '_' };
        text.chars().map(plain).take(100).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_combined_and_brackets_hold_commas_together() {
        let all = ["kind=A,B", "law=Linear, Power(exponent: 0.5, rate: 2), \"x,y\""]
            .map(|t| Vary::parse(t).unwrap());
        let found = combinations(&all);
        assert_eq!(found.len(), 6);
        assert_eq!(found[1].label(), "kind = A, law = Power(exponent: 0.5, rate: 2)");
        assert_eq!(found[5].settings().collect::<Vec<_>>(), ["kind=B", "law=\"x,y\""]);
        assert_eq!(found[1].file_name(), "kind=A_law=Power_exponent__0.5__rate__2_");
    }

    #[test]
    fn what_is_no_list_of_values_is_refused() {
        for wrong in ["a", "=1", "a=", "a=1,,2"] {
            assert!(Vary::parse(wrong).unwrap_err().contains("damping.stretch=0.001"), "{wrong}");
        }
    }
}
