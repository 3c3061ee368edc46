"""The parts of the vector store on PostgreSQL: connections, statements, and how records are copied in and read out."""
