"""All registered measures: whoever imports this finds every one, for the package has loaded them by then."""

from accord.agreement.registry import MEASURES, check_taken, measure_called

__all__ = ["MEASURES", "check_taken", "measure_called"]
