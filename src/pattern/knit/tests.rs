use proptest::prelude::*;

use super::chart::{Extent, Knit, KnitError};
use super::gauge::Gauge;
use super::topology::{Face, Role, Strand, Topology};

fn chart(rows: &[&str]) -> Knit {
    Knit::Chart(rows.iter().map(|r| r.to_string()).collect())
}

fn knitted(knit: &Knit, courses: usize, wales: usize) -> Topology {
    knit.knit(&Extent { courses, wales, feeds: &[], bound: true }).unwrap()
}

/// The contacts of the yarns in order: role, strand and the face of that strand.
fn along(topology: &Topology) -> Vec<Vec<(Role, u8, Face)>> {
    let of = |s: Strand| {
        let c = &topology.contacts[s.contact as usize];
        (c.role, s.strand, if s.strand == 1 { c.upper } else { c.upper.opposite() })
    };
    topology.yarns.iter().map(|y| y.nodes.iter().filter_map(|n| n.strand).map(of).collect()).collect()
}

#[test]
fn a_loop_of_jersey_meets_its_contacts_in_order() {
    use Face::{Back, Front};
    use Role::{Foot, Head};
    let topology = knitted(&Knit::Jersey, 3, 3);
    // Cast-on of 3 loops (6 nodes each), a course of loops, then that of the middle row.
    let second = along(&topology)[0][3 * 6 + 3 * 8..][..8].to_vec();
    let half = [(Foot, 1, Back), (Head, 1, Front), (Foot, 0, Front), (Head, 0, Back)];
    let mut whole = half.to_vec();
    whole.extend(half.iter().rev());
    assert_eq!(second, whole);
}

#[test]
fn a_chart_is_refused_with_its_place() {
    let refused = |rows: &[&str], courses| {
        chart(rows).knit(&Extent { courses, wales: 4, feeds: &[], bound: true }).unwrap_err()
    };
    assert_eq!(refused(&[], 4), KnitError::Empty);
    assert_eq!(refused(&["kk", "k"], 4), KnitError::Ragged { row: 1, found: 1, expected: 2 });
    assert!(matches!(
        refused(&["kk", "kx"], 4),
        KnitError::UnknownCell { row: 1, column: 1, found: 'x', .. }
    ));
    assert!(matches!(refused(&["ks", "kk"], 4), KnitError::Unfounded { row: 0, column: 1, .. }));
    assert_eq!(refused(&["kk", "sf"], 4), KnitError::NoLoop { row: 1 });
    let held = ["kk", "sk", "sk", "tk", "sk", "sk", "sk", "sk"];
    assert_eq!(refused(&held, 8), KnitError::HeldTooLong { row: 7, column: 0, count: 7 });
    let jacquard = Knit::Jacquard(vec!["012".into()]);
    let extent = Extent { courses: 2, wales: 3, feeds: &[], bound: true };
    assert_eq!(jacquard.knit(&extent), Err(KnitError::ThirdFeed { row: 0, column: 2, found: 2 }));
    assert!(Knit::Rib { knit: 0, purl: 0 }.knit(&extent).is_err());
}

#[test]
fn jacquard_is_knitted_with_two_yarns_a_row() {
    let jacquard = Knit::Jacquard(vec!["0011".into(), "1100".into()]);
    let topology = knitted(&jacquard, 4, 8);
    assert_eq!(topology.yarns.iter().map(|y| y.feed).collect::<Vec<_>>(), [0, 1]);
    let floats = topology.contacts.iter().filter(|c| c.role == Role::Float).count();
    assert_eq!(floats, 4 * 8 * 2, "each feed floats past the half that it does not knit");
    assert!(topology.contacts.iter().all(|c| c.role != Role::Float || c.upper == Face::Back));
}

/// Whatever colours follow each other, a leg goes up: the contacts of a loop lie in the order of its yarn.
#[test]
fn legs_of_jacquard_are_drawn_in_order() {
    let jacquard = Knit::Jacquard(vec!["0110".into(), "1010".into(), "1001".into(), "0000".into()]);
    let extent = Extent { courses: 12, wales: 8, feeds: &[], bound: false };
    let topology = jacquard.knit(&extent).unwrap();
    let is_hook = |s: Strand| topology.contacts[s.contact as usize].role != Role::Float;
    for yarn in &topology.yarns {
        let nodes = yarn.nodes.iter().filter_map(|n| n.strand.map(|s| (n, s)));
        let nodes: Vec<_> = nodes.filter(|(_, s)| is_hook(*s)).collect();
        for w in nodes.windows(2) {
            let [(a, s), (b, t)] = [w[0], w[1]];
            // From where a loop comes through to where it is held, or back.
            if a.piece == b.piece && s.strand != t.strand {
                let up = b.place[1] - a.place[1];
                assert!(if s.strand == 1 { up > 0.0 } else { up < 0.0 }, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn yarn_lengths_are_as_asked() {
    let gauge = Gauge::of_loop(5e-3, 0.0);
    let topology = knitted(&chart(&["kk", "ks", "kt"]), 6, 10);
    let yarn = &topology.yarns[0];
    let arcs = gauge.arcs(yarn, &topology.contacts);
    assert!(arcs.windows(2).all(|w| w[1] > w[0]));
    for offset in [0.0, 1.4e-4] {
        let gauge = Gauge::of_loop(5e-3, offset);
        let [few, many] = [20, 40].map(|courses| {
            let plain = knitted(&Knit::Jersey, courses, 20);
            (*gauge.arcs(&plain.yarns[0], &plain.contacts).last().unwrap(), plain.n_loops as f64)
        });
        let mean = (many.0 - few.0) / (many.1 - few.1);
        assert!((mean / (gauge.chords() * 5e-3) - 1.0).abs() < 0.01, "{mean}");
    }
}

fn random_chart() -> impl Strategy<Value = Vec<String>> {
    (1usize..5, 2usize..6).prop_flat_map(|(rows, columns)| {
        let cell = |letters: &'static [char]| proptest::sample::select(letters);
        let first = proptest::collection::vec(cell(&['k', 'p']), columns);
        let row = proptest::collection::vec(cell(&['k', 'p', 's', 'f', 't']), columns);
        (first, proptest::collection::vec(row, rows)).prop_map(|(first, rest)| {
            std::iter::once(first).chain(rest).map(|r| r.into_iter().collect()).collect()
        })
    })
}

fn random_jacquard() -> impl Strategy<Value = Vec<String>> {
    (1usize..5, 2usize..6).prop_flat_map(|(rows, columns)| {
        let row = proptest::collection::vec(proptest::sample::select(&['0', '1'][..]), columns);
        proptest::collection::vec(row.prop_map(|r| r.into_iter().collect()), rows)
    })
}

/// A chart that cannot be knitted does not count as a case.
fn refused(error: KnitError) -> TestCaseError {
    TestCaseError::reject(error.to_string())
}

/// So many that are sound, and at most as many that are refused.
const SOUND: u32 = 200;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: SOUND,
        max_global_rejects: SOUND,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_charts_are_sound(rows in random_chart(), courses in 1usize..9, wales in 2usize..9, bound: bool) {
        let extent = Extent { courses, wales, feeds: &[0, 1, 1], bound };
        let topology = Knit::Chart(rows.clone()).knit(&extent).map_err(refused)?;
        check(&topology, bound)?;
        check_faces(&topology, (&rows, courses))?;
    }

    #[test]
    fn random_jacquards_are_sound(rows in random_jacquard(), courses in 1usize..9, wales in 2usize..9, bound: bool) {
        let extent = Extent { courses, wales, feeds: &[], bound };
        let topology = Knit::Jacquard(rows).knit(&extent).map_err(refused)?;
        check(&topology, bound)?;
    }
}

/// A loop is drawn to the front through one that is knitted, and to the back through one that is purled; floats lie
/// behind or in front as the chart says.
fn check_faces(topology: &Topology, (rows, courses): (&[String], usize)) -> Result<(), TestCaseError> {
    for node in topology.yarns.iter().flat_map(|y| &y.nodes) {
        let Some(Strand { contact, strand: 1 }) = node.strand else { continue };
        let contact = &topology.contacts[contact as usize];
        let [course, wale] = node.stitch.map(|k| k as usize);
        let Some(row) = course.checked_sub(1).filter(|row| *row < courses) else { continue };
        let letter = rows[row % rows.len()].chars().cycle().nth(wale);
        let expected = match (contact.role, letter) {
            (Role::Foot, Some('k')) | (Role::Float, Some('s')) => Face::Back,
            (Role::Foot, Some('p')) | (Role::Float, Some('f')) => Face::Front,
            _ => continue,
        };
        prop_assert_eq!(contact.upper, expected, "{:?} at {:?}", contact, node.stitch);
    }
    Ok(())
}

/// Whether a piece of a yarn is a loop that nothing holds.
fn is_open(topology: &Topology, (yarn, piece): (usize, u32)) -> bool {
    let nodes = &topology.yarns[yarn].nodes;
    nodes[1..nodes.len() - 1].iter().any(|n| n.piece == piece && n.strand.is_none())
}

/// The ends of yarns are knotted, but for those in open loops, which an edge can be unravelled by; nothing else is,
/// but for what the end is drawn through.
fn check_knots(topology: &Topology, pieces: &[[(usize, u32); 2]]) -> Result<(), TestCaseError> {
    let (mut ends, mut fastened) = (Vec::new(), Vec::new());
    for (y, yarn) in topology.yarns.iter().enumerate() {
        let inner = &yarn.nodes[1..yarn.nodes.len() - 1];
        let mut strands = inner.iter().filter_map(|n| n.strand.map(|s| (n.piece, s.contact as usize)));
        ends.extend(strands.next().map(|s| s.1));
        if let Some((piece, contact)) = strands.next_back() {
            ends.push(contact);
            fastened.push((y, piece));
        }
    }
    for (k, contact) in topology.contacts.iter().enumerate() {
        let is_open = pieces[k].iter().any(|p| is_open(topology, *p));
        if ends.contains(&k) {
            prop_assert!(contact.knotted != is_open || contact.role == Role::Twist, "{:?}", contact);
        } else if contact.knotted {
            prop_assert!(pieces[k].iter().any(|p| fastened.contains(p)), "{:?}", contact);
        }
    }
    Ok(())
}

/// Every loop is held: the legs of an upper loop cross its head twice, unless it is the last, in an open edge or knotted.
fn check_held(topology: &Topology, pieces: &[[(usize, u32); 2]]) -> Result<(), TestCaseError> {
    let contacts = || topology.contacts.iter().zip(pieces);
    for (contact, [_, of]) in contacts().filter(|(c, _)| matches!(c.role, Role::Foot | Role::Twist)) {
        let heads = contacts().filter(|(c, [lower, _])| c.role == Role::Head && lower == of);
        let is_fastened = contacts().any(|(c, pieces)| c.knotted && pieces.contains(of));
        prop_assert!(heads.count() >= 2 || is_fastened || is_open(topology, *of), "{:?}", contact);
    }
    Ok(())
}

/// Where two yarns cross twice in a row their signs say whether they hook (alike) or only lie on one another: in a bound
/// knit they always hook, in an open one only the last loops and floats past them could be drawn back.
fn check_signs(topology: &Topology, pieces: &[[(usize, u32); 2]]) -> Result<(), TestCaseError> {
    let strands = |y: usize| {
        topology.yarns[y].nodes.iter().filter_map(|n| n.strand.map(|s| [s.contact, s.strand.into()]))
    };
    let mut next = std::collections::HashMap::new();
    for y in 0..topology.yarns.len() {
        next.extend(strands(y).zip(strands(y).skip(1)));
    }
    let open = |[y, piece]: [usize; 2]| {
        let nodes = topology.yarns[y].nodes.iter();
        nodes.filter(|n| n.piece as usize == piece).any(|n| n.strand.is_none())
    };
    for (a, b) in &next {
        let [c, d] = [a, b].map(|[contact, strand]| [*contact, 1 - strand]);
        let [first, second] = [a, b].map(|s| topology.contacts[s[0] as usize]);
        // Where a yarn turns into the next row its crossings with a leg may cancel each other.
        let is_turn = pieces[a[0] as usize] != pieces[b[0] as usize];
        if is_turn || (next.get(&c) != Some(&d) && next.get(&d) != Some(&c)) {
            continue;
        }
        let held = first.role != second.role;
        let is_open = pieces[a[0] as usize].iter().any(|&(y, p)| open([y, p as usize]));
        prop_assert!((first.sign == second.sign) == held, "{:?} {:?}", first, second);
        prop_assert!(held || is_open, "{:?} {:?}", first, second);
    }
    Ok(())
}

fn check(topology: &Topology, bound: bool) -> Result<(), TestCaseError> {
    // Each strand of each contact is met once: every yarn is one curve.
    let mut met = vec![[0; 2]; topology.contacts.len()];
    let mut pieces = vec![[(0, 0); 2]; topology.contacts.len()];
    for (y, yarn) in topology.yarns.iter().enumerate() {
        prop_assert!(yarn.nodes[0].strand.is_none() && yarn.nodes.last().unwrap().strand.is_none());
        prop_assert!(yarn.nodes.windows(2).all(|w| w[0].piece <= w[1].piece && w[0].place != w[1].place));
        for node in &yarn.nodes {
            if let Some(s) = node.strand {
                met[s.contact as usize][s.strand as usize] += 1;
                pieces[s.contact as usize][s.strand as usize] = (y, node.piece);
            }
        }
        let arcs = Gauge::of_loop(4e-3, 0.0).arcs(yarn, &topology.contacts);
        prop_assert!(arcs.windows(2).all(|w| w[1] > w[0]));
    }
    prop_assert!(met.iter().all(|m| *m == [1, 1]));
    for (contact, [a, b]) in topology.contacts.iter().zip(&pieces) {
        prop_assert_eq!(a == b, contact.role == Role::Twist, "only a cast-on loop crosses itself");
    }
    check_held(topology, &pieces)?;
    check_knots(topology, &pieces)?;
    check_signs(topology, &pieces)?;
    if bound {
        let (y, yarn) =
            topology.yarns.iter().enumerate().max_by_key(|(_, y)| y.nodes.last().unwrap().stitch[0]).unwrap();
        let last = yarn.nodes[yarn.nodes.len() - 2].piece;
        let heads = topology
            .contacts
            .iter()
            .zip(&pieces)
            .filter(|(c, [_, of])| c.role == Role::Head && *of == (y, last));
        prop_assert!(
            heads.clone().count() > 0 && heads.clone().all(|(c, _)| c.knotted),
            "the last loops are fastened"
        );
    }
    // Front and back alternate at every hook: what is under at its feet is over at its heads.
    for (foot, of_foot) in topology.contacts.iter().zip(&pieces).filter(|(c, _)| c.role == Role::Foot) {
        let heads = topology.contacts.iter().zip(&pieces).filter(|(c, _)| c.role == Role::Head);
        let mut faces = heads.filter(|(_, of_head)| *of_head == of_foot).map(|(c, _)| c.upper).peekable();
        prop_assert!(faces.peek().is_some() && faces.all(|f| f == foot.upper.opposite()));
    }
    Ok(())
}

/// Yarns lie on one another as they are drawn: the chords at a contact cross as its sign and its upper face say, where they
/// are not nearly parallel. But yarn may turn into the next row anyhow, and the first loop of a bound edge leans over the one
/// that is drawn through it.
fn check_drawing(topology: &Topology, bound: bool) {
    let mut chords = vec![[[0.0; 2]; 2]; topology.contacts.len()];
    let last = topology.yarns.iter().flat_map(|y| &y.nodes).map(|n| n.stitch[0]).max();
    let mut leaning = None;
    for yarn in &topology.yarns {
        for around in yarn.nodes.windows(3) {
            let Some(s) = around[1].strand else { continue };
            let is_turn = around.iter().any(|n| n.stitch[0] != around[1].stitch[0]);
            let chord = [0, 1].map(|i| if is_turn { 0.0 } else { around[2].place[i] - around[0].place[i] });
            chords[s.contact as usize][s.strand as usize] = chord;
            if bound && last == Some(around[1].stitch[0]) {
                leaning.get_or_insert(around[1].stitch);
            }
        }
    }
    let is_of_leaning = |k: usize| {
        let nodes = topology.yarns.iter().flat_map(|y| &y.nodes);
        nodes.filter(|n| Some(n.stitch) == leaning).any(|n| n.strand.is_some_and(|s| s.contact as usize == k))
    };
    for (k, (contact, [b, a])) in topology.contacts.iter().zip(&chords).enumerate() {
        let [product, lengths] = [a[0] * b[1] - a[1] * b[0], a[0].hypot(a[1]) * b[0].hypot(b[1])];
        let height = if contact.upper == Face::Front { 1.0 } else { -1.0 };
        let is_drawn = product * height * f64::from(contact.sign) >= -0.1 * lengths;
        assert!(is_drawn || is_of_leaning(k), "{contact:?} {a:?} {b:?}");
    }
}

#[test]
fn yarns_lie_on_one_another_as_they_are_drawn() {
    let charts = [
        &["k"][..],
        &["kkpp"],
        &["k", "p"],
        &["kp", "pk"],
        &["kkk", "ksk"],
        &["kkk", "kfk"],
        &["kkk", "ktk"],
    ];
    for (rows, bound) in charts.into_iter().flat_map(|rows| [(rows, true), (rows, false)]) {
        for wales in [6, 7] {
            let topology = chart(rows).knit(&Extent { courses: 7, wales, feeds: &[], bound }).unwrap();
            check_drawing(&topology, bound);
        }
    }
}
