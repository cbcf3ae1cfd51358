//! Whether two signed heads of one log fit together. Only proofs count: nobody signs a tile.

use super::view::{Head, View};
use fairdeal::deal::Digest;
use fairdeal::log::{Hash, ProofPlan, verify_consistency};
use fairdeal::record::entry::Int;
use fairdeal::record::receipt::SeenProof;

/// How a view stands to a head of its size or smaller.
#[derive(Debug)]
pub(crate) enum Relation {
    /// The view continues it.
    Continues,
    /// The key signed two trees. The proof of what the view had at the head's size; `None` where the
    /// view is of the head's own size, and its signature is the proof.
    Fork(Option<SeenProof>),
    /// The view's files prove neither.
    Unknown(String),
}

/// The relation of a view to a head that is not larger.
pub(crate) fn relation(view: &mut View, head: &Head) -> Relation {
    let (size, root) = (head.size(), *head.checkpoint.root());
    let (now, now_root) = (view.head.size(), *view.head.checkpoint.root());
    if size == 0 {
        return Relation::Continues;
    }
    if size == now {
        return if root == now_root { Relation::Continues } else { Relation::Fork(None) };
    }
    match had(view, size) {
        Ok((other, _)) if other == root => Relation::Continues,
        Ok((other, proof)) => match Int::new(size) {
            Some(size) => {
                let root = Digest::from_bytes(*other.as_bytes());
                Relation::Fork(Some(SeenProof { size, root, proof }))
            }
            None => Relation::Unknown(format!("expected at most {} entries", Int::MAX)),
        },
        Err(says) => Relation::Unknown(says),
    }
}

/// The root that a view had at a smaller size, with its proof, which leads to the signed root.
/// The error says what the files do not show.
pub(crate) fn had(view: &mut View, size: u64) -> Result<(Hash, Vec<Hash>), String> {
    let (now, now_root) = (view.head.size(), *view.head.checkpoint.root());
    let plan = ProofPlan::consistency(size, now).map_err(|error| error.to_string())?;
    let proof = plan.prove(|node| view.tree.node(node, now)).map_err(|error| error.to_string())?;
    let root = view.tree.root_at(size, now).map_err(|error| error.to_string())?;
    verify_consistency(size, &root, now, &now_root, &proof)
        .map_err(|error| format!("the tiles are not those of the checkpoint: {error}"))?;
    Ok((root, proof))
}
