"""Entry → Record: what the printed fields mean. Sees one entry and a read-only authority, nothing else."""
