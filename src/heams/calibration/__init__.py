"""Calibration of judges: cases whose verdict is known, and how often a judge gets them wrong."""
