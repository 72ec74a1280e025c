"""What a page of HTML says."""

from html.parser import HTMLParser


class Cells(HTMLParser):
    """The text of a page, and the names of its tags."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)
