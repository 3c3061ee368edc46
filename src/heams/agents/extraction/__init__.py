"""Reading without a model: question typing, sentence ranking, dates, numbers, names and spans."""
