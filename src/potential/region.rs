//! A local region: a few blocks, minimised while all others are fixed (nonlinear elimination).

use super::family::Element;
use crate::model::ids::BLOCK;

/// The blocks that may move and those that their elements depend on too, numbered by themselves.
#[derive(Debug)]
pub struct Region<'a> {
    free: &'a [bool],
    blocks: Vec<u32>,
    /// Where each block is among them, if it is.
    places: Vec<u32>,
}

impl<'a> Region<'a> {
    /// Some free blocks and all that are marked.
    pub fn new(free: &'a [bool], marked: &[bool]) -> Self {
        let (mut blocks, mut places) = (Vec::new(), vec![u32::MAX; free.len()]);
        for (block, _) in free.iter().zip(marked).enumerate().filter(|(_, (free, marked))| **free || **marked)
        {
            places[block] = blocks.len() as u32;
            blocks.push(block as u32);
        }
        Self { free, blocks, places }
    }

    /// Which blocks of the whole may move.
    pub fn free(&self) -> &[bool] {
        self.free
    }

    /// Its blocks, ascending.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// The number of an unknown of the whole among its own.
    pub fn dof(&self, dof: u32) -> u32 {
        let block = BLOCK as u32;
        block * self.places[(dof / block) as usize] + dof % block
    }
}

/// Some elements, for a minimiser, which asks for no energies.
#[derive(Debug)]
pub(super) struct Chosen<'a, E> {
    pub(super) element: &'a E,
    pub(super) chosen: Vec<u32>,
}

impl<E: Element<N>, const N: usize> Element<N> for Chosen<'_, E> {
    fn value(&self, element: usize, q: &[f64; N]) -> f64 {
        self.element.value(self.chosen[element] as usize, q)
    }

    fn gradient(&self, element: usize, q: &[f64; N]) -> [f64; N] {
        self.element.gradient(self.chosen[element] as usize, q)
    }

    fn hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        self.element.hessian(self.chosen[element] as usize, q)
    }

    fn whole_hessian(&self, element: usize, q: &[f64; N]) -> [[f64; N]; N] {
        self.element.whole_hessian(self.chosen[element] as usize, q)
    }

    fn is_linear(&self) -> bool {
        self.element.is_linear()
    }
}
