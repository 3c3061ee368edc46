"""What memories share that hear through a model: batches, events shown as data, and replies that can be used."""
