"""What the matrix page shows: memory systems by benchmarks."""
