"""Results as one file that needs neither a server nor a network: the pages of the application, linked by anchors."""

from heams.browse.bundle.progress import Progress
from heams.browse.bundle.writing import BundleOptions, Written, write_bundle

__all__ = ["BundleOptions", "Progress", "Written", "write_bundle"]
