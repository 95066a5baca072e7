"""`instructions.explain`: which instructions a file receives, in what order, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.instructions.model import Snapshot


@dataclass(frozen=True, slots=True)
class Params:
    """`target` names a file or directory; it need not exist yet, its directory must."""

    target: str = param("File or directory to explain.", default=".", positional=True)
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class Explanation:
    """The chain for one target: `snapshot` in protocol form, and the sizes people ask about (bytes on disk)."""

    workspace: str
    workspace_found_by: str
    snapshot: Snapshot

    @property
    def total_bytes(self) -> int:
        """The bytes on disk of every source."""
        return sum(source.raw_bytes for source in self.snapshot.sources)

    def to_json(self) -> dict[str, Any]:
        """Sources without their text: `waybook context instructions` prints that."""
        snapshot = self.snapshot
        body = snapshot.to_json()
        sources = [
            {key: value for key, value in shown.items() if key not in {"content", "authority", "applicable_to"}}
            | {"bytes": source.raw_bytes}
            for shown, source in zip(body["sources"], snapshot.sources, strict=True)
        ]
        return {
            "workspace": self.workspace,
            "workspace_found_by": self.workspace_found_by,
            "target": snapshot.target_path,
            "fingerprint": snapshot.fingerprint,
            "sources": sources,
            "ignored": body["ignored"],
            "conflicts": body["conflicts"],
            "bytes": self.total_bytes,
            "limits": body["limits"],
            "loaded_at": snapshot.loaded_at,
        }


def run(services: Services, params: Params, _call: Call) -> Explanation:
    """Read the chain afresh from the disk. Raises `DiscoveryError` when it is refused."""
    located, target = services.aim(params.target, params.workspace)
    snapshot = services.analysis(located.root).discover(target)
    return Explanation(located.root, located.found_by, snapshot)


COMMAND = Command(
    id="instructions.explain",
    title="Explain which instructions a file receives",
    params=Params,
    run=run,
    actor="agent",
)
