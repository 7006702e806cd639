//! Strains of centre lines beside their contacts.

use super::super::displaced::Displaced;
use super::super::turned::{SetBending, Turned};
use super::damping::{assert_rigid_motion_costs_nothing, check_damped_at};
use super::*;

/// The positions of blocks, one after another.
fn positions<const N: usize>(own: &[u32], beside: &[u32]) -> [u32; N] {
    let own = own.iter().flat_map(|b| (0..4).map(move |k| BLOCK as u32 * b + k));
    let mut dofs = own.chain(beside.iter().flat_map(|b| (0..3).map(move |k| BLOCK as u32 * b + k)));
    std::array::from_fn(|_| dofs.next().expect("as many as unknowns"))
}

fn groups<const N: usize>(n_nodes: usize) -> [u8; N] {
    std::array::from_fn(|i| if i < 4 * n_nodes { i / 4 } else { n_nodes + (i - 4 * n_nodes) / 3 } as u8)
}

/// On both sides, with a node that crosses nothing, and where a block is more than one of the nodes around.
#[test]
fn displaced_lines_conform() {
    let case = Case::<26> {
        dofs: positions(&[0, 1], &[2, 3, 2, 3, 3, 1]),
        group: groups(2),
        exact: Exact::Elsewhere,
    };
    let case_of_bend = Case::<36> {
        dofs: positions(&[0, 1, 2], &[3, 3, 3, 1, 0, 3, 2, 0]),
        group: groups(3),
        exact: Exact::Elsewhere,
    };
    for offsets in [[0.1, -0.2, 0.15], [-0.1, 0.0, 0.1]] {
        let stretch = |damping| displaced(Material::<_, 8>::new(Stretch, vec![3.0], damping), offsets);
        configurations().for_each(|c| check_damped_at(&c, "displaced stretch", &stretch, &case));
        assert_rigid_motion_costs_nothing(&stretch, &case, 2.0);
        for rest in [0.0, 0.3] {
            let line = Bending { rest: vec![rest], sharp: vec![f64::INFINITY], straight: vec![0.0] };
            let bending =
                |damping| displaced(Material::<_, 12>::new(line.clone(), vec![3.0], damping), offsets);
            configurations().for_each(|c| {
                check_damped_at(&c.nearer(0.1), "displaced bending", &bending, &case_of_bend);
            });
            assert_rigid_motion_costs_nothing(&bending, &case_of_bend, 0.095);
        }
    }
}

/// A yarn that is set against the frame of its crossing, on either side of what it crosses.
#[test]
fn turned_bending_conforms() {
    let case = Case::<36> {
        dofs: positions(&[0, 1, 2], &[3, 3, 3, 1, 0, 3, 2, 0]),
        group: groups(3),
        exact: Exact::Elsewhere,
    };
    for (offsets, rest) in [([0.1, -0.2, 0.15], [0.3, -0.4, 0.1]), ([-0.1, 0.1, 0.0], [-0.2, 0.5, 0.0])] {
        let line = Turned { rest: vec![rest.into()], short: vec![0.02] };
        let turned =
            |damping| displaced(Material::<_, 18, 3>::new(line.clone(), vec![3.0], damping), offsets);
        configurations().for_each(|c| check_damped_at(&c.nearer(0.1), "turned bending", &turned, &case));
        // Its components turn with the yarn: by strain rate the angle is damped instead.
        let set = |damping: Damping<1>| {
            let (by_rate, by_stiffness) = match damping {
                Damping::Rayleigh(beta) => (Damping::None, Damping::Rayleigh(beta)),
                other => (other, Damping::None),
            };
            let angle = Bending { rest: vec![0.3], sharp: vec![f64::INFINITY], straight: vec![0.0] };
            let stored = Material::new(line.clone(), vec![3.0], by_stiffness);
            displaced(SetBending { stored, damped: Material::new(angle, vec![0.0], by_rate) }, offsets)
        };
        configurations().for_each(|c| check_damped_at(&c.nearer(0.1), "set bending", &set, &case));
        assert_rigid_motion_costs_nothing(&set, &case, 0.095);
    }
}

fn displaced<L, const I: usize>(line: L, offsets: [f64; 3]) -> Displaced<L, I> {
    Displaced { line, offsets: vec![offsets], short: vec![0.02] }
}
