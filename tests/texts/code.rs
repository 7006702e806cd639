//! The types that a scene is read into, as the sources declare them.

use std::collections::BTreeMap;
use std::path::Path;

use syn::{Attribute, Expr, Fields, GenericArgument, Item, Lit, Meta, PathArguments};

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A number, a text, ...: its name in the plural follows.
    Plain(&'static str, &'static str),
    /// So many of a kind.
    Several(usize, Box<Kind>),
    /// Any number of a kind.
    List(Box<Kind>),
    /// A kind by names.
    Map(Box<Kind>),
    /// A declared type.
    Declared(String),
}

/// A key of a record.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) kind: Kind,
    /// Whether it may be left out.
    pub(crate) is_optional: bool,
}

/// One of the values of a choice.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) fields: Vec<Field>,
    /// The kinds in its brackets, if its fields have no names.
    pub(crate) holds: Vec<Kind>,
}

/// A declared type.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Record(Vec<Field>),
    Choice(Vec<Variant>),
    /// Written as the kind that it wraps.
    Wrapped(Kind),
}

/// A declared type and its doc.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(crate) doc: String,
    pub(crate) body: Body,
}

/// All types that can be read from a text, by name.
pub(crate) struct Code(BTreeMap<String, Vec<Declared>>);

impl Code {
    /// Those of the sources in some folders.
    pub(crate) fn read(folders: &[&Path]) -> Self {
        let mut code = Self(BTreeMap::new());
        folders.iter().for_each(|f| code.read_folder(f));
        code
    }

    /// The only type of a name.
    pub(crate) fn get(&self, name: &str) -> &Declared {
        match self.0.get(name).map(Vec::as_slice) {
            Some([one]) => one,
            found => {
                panic!("{} types named {name} can be read: one was expected", found.map_or(0, <[_]>::len))
            }
        }
    }

    fn read_folder(&mut self, folder: &Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.read_folder(&path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let file = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
                file.items.iter().for_each(|item| self.read_item(item));
            }
        }
    }

    fn read_item(&mut self, item: &Item) {
        let (name, attributes, body) = match item {
            Item::Struct(s) => (&s.ident, &s.attrs, record(&s.attrs, &s.fields)),
            Item::Enum(e) => (&e.ident, &e.attrs, Body::Choice(e.variants.iter().map(variant).collect())),
            _ => return,
        };
        if has(attributes, "derive", "Deserialize") {
            self.0.entry(name.to_string()).or_default().push(Declared { doc: doc(attributes), body });
        }
    }
}

fn record(attributes: &[Attribute], fields: &Fields) -> Body {
    match fields {
        Fields::Unnamed(wrapped) if wrapped.unnamed.len() == 1 => {
            Body::Wrapped(kind(&wrapped.unnamed[0].ty).0)
        }
        _ => Body::Record(named(fields, has(attributes, "serde", "default"))),
    }
}

fn variant(variant: &syn::Variant) -> Variant {
    let holds = match &variant.fields {
        Fields::Unnamed(fields) => fields.unnamed.iter().map(|f| kind(&f.ty).0).collect(),
        _ => Vec::new(),
    };
    let (name, doc) = (variant.ident.to_string(), doc(&variant.attrs));
    Variant { name, doc, fields: named(&variant.fields, false), holds }
}

/// Fields that have names and are read.
fn named(fields: &Fields, all_optional: bool) -> Vec<Field> {
    let read = fields.iter().filter(|f| !has(&f.attrs, "serde", "skip"));
    let field = |f: &syn::Field| {
        let (kind, is_option) = kind(&f.ty);
        let is_optional = all_optional || is_option || has(&f.attrs, "serde", "default");
        Some(Field { name: f.ident.as_ref()?.to_string(), doc: doc(&f.attrs), kind, is_optional })
    };
    read.filter_map(field).collect()
}

/// The kind of a type, and whether it is an `Option` of that.
fn kind(ty: &syn::Type) -> (Kind, bool) {
    let path = match ty {
        syn::Type::Path(path) => path,
        syn::Type::Array(array) => {
            let Expr::Lit(syn::ExprLit { lit: Lit::Int(n), .. }) = &array.len else { return unread() };
            return (Kind::Several(n.base10_parse().unwrap(), Box::new(kind(&array.elem).0)), false);
        }
        _ => return unread(),
    };
    let last = path.path.segments.last().unwrap();
    let inner = || match &last.arguments {
        PathArguments::AngleBracketed(a) => a.args.iter().rev().find_map(|a| match a {
            GenericArgument::Type(ty) => Some(Box::new(kind(ty).0)),
            _ => None,
        }),
        _ => None,
    };
    let found = match last.ident.to_string().as_str() {
        "Option" => return (*inner().unwrap(), true),
        "Vec" => Kind::List(inner().unwrap()),
        "BTreeMap" => Kind::Map(inner().unwrap()),
        "f64" | "f32" => Kind::Plain("number", "numbers"),
        "usize" | "u32" | "u64" | "i64" => Kind::Plain("integer", "integers"),
        "bool" => Kind::Plain("true or false", "of true or false"),
        "String" => Kind::Plain("text", "texts"),
        "PathBuf" => Kind::Plain("file", "files"),
        other => Kind::Declared(other.to_string()),
    };
    (found, false)
}

/// Of types that no scene has.
fn unread() -> (Kind, bool) {
    (Kind::Declared(String::new()), false)
}

/// Whether an attribute, such as `derive`, has a word in its brackets.
fn has(attributes: &[Attribute], name: &str, word: &str) -> bool {
    attributes.iter().any(|a| match &a.meta {
        Meta::List(list) if list.path.is_ident(name) => {
            list.tokens.clone().into_iter().any(|t| t.to_string() == word)
        }
        _ => false,
    })
}

/// The first paragraph of a doc, in one line and without links into the code.
fn doc(attributes: &[Attribute]) -> String {
    let line = |a: &Attribute| match &a.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_string()),
            _ => None,
        },
        _ => None,
    };
    let lines: Vec<String> = attributes.iter().filter_map(line).take_while(|l| !l.is_empty()).collect();
    lines.join(" ").replace("[`Self::", "`").replace("[`", "`").replace("`]", "`")
}
