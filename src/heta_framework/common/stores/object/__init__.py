"""Object stores: the protocol, and objects in memory, in a folder, or in a bucket."""

from heta_framework.common.stores.object.errors import ObjectStoreError
from heta_framework.common.stores.object.keys import check_key
from heta_framework.common.stores.object.local import LocalObjectStore, LocalObjectStoreConfig
from heta_framework.common.stores.object.many import delete_many, get_many, put_many
from heta_framework.common.stores.object.memory import MemoryObjectStore
from heta_framework.common.stores.object.protocol import ObjectInfo, ObjectStoreProtocol
from heta_framework.common.stores.object.s3 import S3ObjectStore
from heta_framework.common.stores.object.s3_config import S3AddressingStyle, S3ObjectStoreConfig

__all__ = [
    "LocalObjectStore",
    "LocalObjectStoreConfig",
    "MemoryObjectStore",
    "ObjectInfo",
    "ObjectStoreError",
    "ObjectStoreProtocol",
    "S3AddressingStyle",
    "S3ObjectStore",
    "S3ObjectStoreConfig",
    "check_key",
    "delete_many",
    "get_many",
    "put_many",
]
