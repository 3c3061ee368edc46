"""SQL stores: the protocol, and any database of SQLAlchemy's, SQLite and PostgreSQL first."""

from heta_framework.common.stores.sql.config import SQLStoreConfig
from heta_framework.common.stores.sql.errors import SQLStoreError
from heta_framework.common.stores.sql.protocol import SQLExecutorProtocol, SQLStoreProtocol, SQLTransactionProtocol
from heta_framework.common.stores.sql.store import SQLStore
from heta_framework.common.stores.sql.transaction import SQLTransaction
from heta_framework.common.stores.sql.types import SQLParameters, SQLResult, SQLRow

__all__ = [
    "SQLExecutorProtocol",
    "SQLParameters",
    "SQLResult",
    "SQLRow",
    "SQLStore",
    "SQLStoreConfig",
    "SQLStoreError",
    "SQLStoreProtocol",
    "SQLTransaction",
    "SQLTransactionProtocol",
]
