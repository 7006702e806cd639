//! The angle between two directions.
