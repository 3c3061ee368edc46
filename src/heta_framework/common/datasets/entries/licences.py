"""Licences that several datasets have."""

from heta_framework.common.datasets.entry import Licence

CC_BY_NC_4 = Licence(
    name="CC BY-NC 4.0",
    url="https://creativecommons.org/licenses/by-nc/4.0/legalcode",
    terms="You may share and adapt it with credit to its authors, for purposes that are not commercial.",
    commercial_use=False,
)

CC_BY_4 = Licence(
    name="CC BY 4.0",
    url="https://creativecommons.org/licenses/by/4.0/legalcode",
    terms="You may share and adapt it with credit to its authors.",
    commercial_use=True,
    needs_acceptance=False,
)

CC_BY_SA_4 = Licence(
    name="CC BY-SA 4.0",
    url="https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    terms="You may share and adapt it with credit to its authors, and adaptations under the same licence.",
    commercial_use=True,
    needs_acceptance=False,
)

ODC_BY_1 = Licence(
    name="ODC-By 1.0",
    url="https://opendatacommons.org/licenses/by/1-0/",
    terms="You may share and adapt it with credit to its authors.",
    commercial_use=True,
    needs_acceptance=False,
)

MIT = Licence(
    name="MIT",
    url="https://opensource.org/license/mit",
    terms="You may use, share and change it freely; copies keep the copyright notice.",
    commercial_use=True,
    needs_acceptance=False,
)

APACHE_2 = Licence(
    name="Apache-2.0",
    url="https://www.apache.org/licenses/LICENSE-2.0",
    terms="You may use, share and change it freely; copies keep its notices and say what was changed.",
    commercial_use=True,
    needs_acceptance=False,
)


def unknown_licence(where: str) -> Licence:
    """For data whose terms are not established; ``where`` is the page at which to ask."""
    return Licence(
        name="unknown",
        url=where,
        terms="Its terms are not established here; whether you may use it is for you to find out.",
        commercial_use=None,
    )
