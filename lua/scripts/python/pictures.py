"""matplotlib's backend of a guest: show() hands over each open figure as a PICTURE, and closes them."""
import io

import perigee_python
from matplotlib import pyplot
from matplotlib.backend_bases import FigureManagerBase as FigureManager     # noqa: F401  matplotlib looks for these names
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas     # noqa: F401


def show(*_args, **_named):
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        data = io.BytesIO()
        figure.savefig(data, format="png")
        perigee_python.hand_over("image/png", f"{figure.get_label() or f'figure-{number}'}.png", data.getvalue())
    pyplot.close("all")
