"""What people say about verdicts: read from and appended to a file beside the results."""

from heams.browse.labels.form import LabelForm, LabelRefused, form_for, label_form, save_form
from heams.browse.labels.mapping import labels_for
from heams.browse.labels.reading import Labels, read_labels
from heams.browse.labels.saved import FILE, SavedLabel, VerdictKey
from heams.browse.labels.writing import LabelNotSaved, write_label

__all__ = [
    "FILE",
    "LabelForm",
    "LabelNotSaved",
    "LabelRefused",
    "Labels",
    "SavedLabel",
    "VerdictKey",
    "form_for",
    "label_form",
    "labels_for",
    "read_labels",
    "save_form",
    "write_label",
]
