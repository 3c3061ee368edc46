"""The parts of the text index store on Elasticsearch and OpenSearch: its configuration, clients, and request bodies."""
