"""Studies that others published, each at one commit of a public repository: the digest says which bytes are meant."""

from __future__ import annotations

from accord.datasets.dataset import Dataset

RAW = "https://raw.githubusercontent.com"
PRESTO = f"{RAW}/TeMU-BSC/presto-nlp/7cf1f87f29feb6202bc1874496f59917c1d3fd38/presto_anotaciones/first_phase"
NOVELS = (
    f"{RAW}/therosko/Thesis-NER-in-English-novels/7988c3aa4f904e91b1e674090dbdc6487b4ad042/annotation/original_data"
)

PUBLIC = (
    Dataset(
        name="presto-distortion",
        says="is a Spanish sentence a cognitive distortion? A Prodigy export with suggested labels",
        answers="single",
        items=593,
        annotators=3,
        file="presto_distortion.jsonl",
        citation="TeMU-BSC, presto-nlp, first phase of annotation, https://github.com/TeMU-BSC/presto-nlp (7cf1f87)",
        url=f"{PRESTO}/presto_distortion.jsonl",
        sha256="e5ca5324e46a670e877eb9408263098d51cff25ca00c541dd460f42f1bff8114",
        size=976_483,
        options={"suggested": "pre-ann-category.distortion"},
    ),
    Dataset(
        name="presto-types",
        says="which kinds of distortion it is, one or several of ten; a Prodigy export",
        answers="set",
        items=131,
        annotators=3,
        file="types_de_los_coincidentes.jsonl",
        citation="TeMU-BSC, presto-nlp, first phase of annotation, https://github.com/TeMU-BSC/presto-nlp (7cf1f87)",
        url=f"{PRESTO}/types_de_los_coincidentes.jsonl",
        sha256="94ca7e1fc736ff59050f23b149cea82e85249f49a9f464237d54702a6af620df",
        size=779_729,
        options={"answers": "set"},
    ),
    Dataset(
        name="alice-names",
        says="persons in chapters of a novel, names and other references by number; a doccano export",
        answers="spans",
        items=16,
        annotators=2,
        file="AliceInWonderland.jsonl",
        citation="Named entities in English novels, https://github.com/therosko/Thesis-NER-in-English-novels (7988c3a)",
        url=f"{NOVELS}/AliceInWonderland.jsonl",
        sha256="fe35f661fbe8fa805f9fc5f5bc3d4288f49ee7533db46f472c88a5bb424ce9d8",
        size=98_908,
        options={"adjudicator": "1"},
    ),
)
