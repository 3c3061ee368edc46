"""The parts of the vector store on disk: records in SQLite, rows in one flat file, a graph of neighbours."""
