//! Yarns over the sharp edges of obstacles.

use crate::geometry::Vec3;
use crate::geometry::pose::Pose;
use crate::model::edges::Edge;

/// How a straight piece of yarn passes a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passing {
    /// Part of the piece up to there.
    pub(crate) part: f64,
    /// Where that is along the line, m.
    pub(crate) along: f64,
    /// Height there over the line, m.
    pub(crate) height: f64,
}

/// The line that the middle of a yarn bends at: an edge, moved out until both faces are as far from it as
/// the yarn keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeLine {
    /// Where it begins, m.
    pub(crate) origin: Vec3,
    /// Unit direction.
    pub(crate) along: Vec3,
    /// m.
    pub(crate) length: f64,
    /// Unit normals of the faces.
    pub(crate) normals: [Vec3; 2],
    /// Distance kept, m.
    pub(crate) reach: f64,
    /// How far it goes on beyond its ends, up to the lines of the next edges, m.
    pub(crate) overhang: f64,
}

impl EdgeLine {
    /// The line of a yarn that keeps `reach`, m, from the faces of an edge of an obstacle in this pose.
    pub(crate) fn new(edge: &Edge, pose: &Pose, reach: f64) -> Self {
        let normals = edge.normals.map(|n| pose.rotate(n));
        let sum = normals[0] + normals[1];
        // o.n1 = o.n2 = reach for o along n1 + n2
        let out = sum * (2.0 * reach / sum.norm_squared());
        let ends = edge.ends.map(|x| pose.to_world(x) + out);
        let length = (ends[1] - ends[0]).norm();
        Self {
            origin: ends[0],
            along: (ends[1] - ends[0]) / length,
            length,
            normals,
            reach,
            overhang: edge.overhang * reach,
        }
    }

    /// Where a point is along the line, m, and its offset from there.
    pub(crate) fn split(&self, x: Vec3) -> (f64, Vec3) {
        let d = x - self.origin;
        let along = d.dot(&self.along);
        (along, d - self.along * along)
    }

    /// Height of an offset from the line, m: positive away from the obstacle.
    pub(crate) fn height(&self, offset: &Vec3) -> f64 {
        offset.dot(&(self.normals[0] + self.normals[1]).normalize())
    }

    /// Whether a place along the line is on the edge.
    pub(crate) fn includes(&self, along: f64) -> bool {
        (-self.overhang..=self.length + self.overhang).contains(&along)
    }

    /// Where a straight piece of yarn that lies over one face and over the other passes the plane between them, be it
    /// beyond the ends of the line; none if it does not.
    pub(crate) fn passed_by(&self, ends: [Vec3; 2]) -> Option<Passing> {
        let d = ends.map(|x| x - self.origin);
        let over = d.map(|d| d.dot(&(self.normals[0] - self.normals[1])));
        if over[0] * over[1] >= 0.0 {
            return None;
        }
        // The end over a face is not far inside it.
        let face = |k: usize| self.normals[usize::from(over[k] < 0.0)];
        if (0..2).any(|k| d[k].dot(&face(k)) < -self.reach) {
            return None;
        }
        let part = over[0] / (over[0] - over[1]);
        let (along, offset) = self.split(ends[0] + (ends[1] - ends[0]) * part);
        Some(Passing { part, along, height: self.height(&offset) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::obstacle::Shape;

    /// The edge `x = z = 0` of a box below and to the left, a tenth away.
    fn line() -> EdgeLine {
        let edges = Shape::Box { size: [2.0; 3] }.edges();
        let is_it = |e: &&Edge| e.normals.contains(&Vec3::x()) && e.normals.contains(&Vec3::z());
        let pose = Pose::new(Vec3::new(-1.0, 0.0, -1.0), Vec3::zeros());
        EdgeLine::new(edges.iter().find(is_it).unwrap(), &pose, 0.1)
    }

    #[test]
    fn a_piece_passes_an_edge_only_from_face_to_face() {
        let (line, v) = (line(), Vec3::new);
        let (on_top, beside) = (v(-0.9, 0.2, 0.1), v(0.1, 0.4, -0.4));
        let Passing { part, along, height } = line.passed_by([on_top, beside]).unwrap();
        assert!(line.includes(along));
        // The plane x = z: -0.9 + p = 0.1 - 0.5 p.
        assert!((part - 2.0 / 3.0).abs() < 1e-12);
        assert!((height + 2f64.sqrt() / 3.0).abs() < 1e-12, "{height}");
        let back = line.passed_by([beside, on_top]).unwrap();
        assert!((back.part - 1.0 / 3.0).abs() < 1e-12 && (back.height - height).abs() < 1e-12);
        assert!(line.passed_by([v(-0.5, 0.0, 0.6), v(0.6, 0.0, -0.1)]).unwrap().height > 0.0, "over it");
        assert!(line.passed_by([on_top, v(0.0, 0.2, 0.1)]).is_none(), "on top");
        assert!(line.passed_by([on_top, v(-0.9, 0.2, -1.9)]).is_none(), "through the whole box");
        let past = line.passed_by([v(-0.9, 1.2, 0.1), v(0.1, 1.2, -0.4)]).unwrap();
        assert!(!line.includes(past.along), "past its end");
    }
}
