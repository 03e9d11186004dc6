"""Words that stand in a known order, in seven languages: what a scale of words is recognised by.

A line is one scale, from its low end to its high end; `|` stands between words of one rank. Words are written here as
`folded` makes them: small, without accents, with blanks for hyphens. Triples whose middle means "I cannot say" (yes,
maybe, no) are no scales. Neither is a plain "negative, neutral, positive", which most studies count as names; with
"very negative" it is one.
"""

# ruff: noqa: E501 - a scale stands on one line

from __future__ import annotations

import unicodedata
from functools import cache

PLAIN_SENTIMENT = frozenset(
    [
        "negative",
        "neutral",
        "positive",
        "negativ",
        "positiv",
        "negatif",
        "neutre",
        "positif",
        "negativo",
        "negativa",
        "neutro",
        "neutra",
        "neutrale",
        "positivo",
        "positiva",
        "negatief",
        "neutraal",
        "positief",
    ]
)  # three such words have an order, and most count them as names all the same: nobody is asked
# What is told apart by numbers, as names are: topic 1 is no step towards topic 3.
KINDS = frozenset({
    "answer", "author", "candidate", "category", "chapter", "choice", "claim", "class", "cluster", "code", "condition",
    "document", "entity", "event", "factor", "figure", "frame", "group", "image", "item", "label", "model", "option",
    "output", "paragraph", "part", "person", "phase", "question", "reason", "response", "section", "sense", "sentence",
    "set", "source", "speaker", "strategy", "summary", "system", "tag", "text", "theme", "topic", "type", "variant",
    "version", "kategorie", "klasse", "gruppe", "thema", "typ", "categorie", "classe", "groupe", "categoria",
    "clase", "grupo", "tema", "tipo", "gruppo",
})  # fmt: skip
LEAST = 3  # labels; two have an order by any account, and no distance that could matter

ENGLISH = """
none|no|absent|nil < minimal|negligible|very low|very mild|very weak|trace < low|mild|slight|minor|weak|little < moderate|medium|mid|middle|intermediate|average|normal < high|severe|strong|major|serious|heavy|much < very high|very severe|very strong|extreme|critical|profound|urgent
never < almost never|hardly ever|very rarely|very seldom < rarely|seldom < occasionally|once in a while|now and then < sometimes < often|frequently|usually|regularly|most of the time < very often|very frequently|almost always|nearly always < always|all the time|constantly
terrible|awful|horrible|very bad|very poor|unacceptable < bad|poor|below average|insufficient|inadequate < fair|acceptable|ok|okay|average|mediocre|neutral|so so|satisfactory|sufficient|adequate|mixed|neither < good|above average|decent < very good|great < excellent|outstanding|perfect|superb|exceptional
very negative|extremely negative|strongly negative < negative|bad < somewhat negative|slightly negative|mildly negative|weakly negative < neutral < somewhat positive|slightly positive|mildly positive|weakly positive < positive|good < very positive|extremely positive|strongly positive
tiny|very small|extra small|very short < small|short|little < medium|mid|middle|moderate|mid sized|medium sized < large|big|long < very large|very long|huge|extra large|enormous
none|none of them|nobody|no one < few|a few|very few|hardly any < some|several < many|a lot|lots|most < all|all of them|everybody|everyone
none|no|not at all|unsupported|not supported < partial|partially|partly|in part|somewhat|some|to some extent|limited|incomplete|mostly not < yes|full|fully|complete|completely|entirely|supported|fully supported
incorrect|wrong|not correct < partially correct|partly correct|somewhat correct < mostly correct|nearly correct < correct|right|fully correct|completely correct
irrelevant|not relevant|non relevant < marginally relevant|slightly relevant|partially relevant|partly relevant|somewhat relevant < relevant|fairly relevant < highly relevant|very relevant < perfectly relevant|extremely relevant
strongly disagree|completely disagree|totally disagree|fully disagree|disagree strongly|disagree completely < disagree < somewhat disagree|slightly disagree|rather disagree|mildly disagree|tend to disagree|disagree somewhat|disagree slightly|disagree a little < neutral|neither agree nor disagree|neither disagree nor agree|neither|undecided|neither agree or disagree < somewhat agree|slightly agree|rather agree|mildly agree|tend to agree|agree somewhat|agree slightly|agree a little < agree < strongly agree|completely agree|totally agree|fully agree|agree strongly|agree completely
not at all|not|none|not in the least < slightly|a little|a little bit|a bit|hardly|barely|minimally < somewhat|moderately|fairly|partly|to some extent|in part < quite|mostly|rather|quite a bit|considerably|to a large extent|a lot < very|highly|very much|a great deal < extremely|completely|entirely|totally|fully|perfectly
very unlikely|extremely unlikely|highly unlikely|impossible < unlikely|improbable < somewhat unlikely|slightly unlikely < neutral|possible|possibly|neither likely nor unlikely|as likely as not < somewhat likely|slightly likely < likely|probable < very likely|extremely likely|highly likely|certain
definitely not|certainly not < probably not < possibly|perhaps|maybe|might or might not|unsure < probably|probably yes < definitely|definitely yes|certainly
very dissatisfied|extremely dissatisfied|very unsatisfied < dissatisfied|unsatisfied < somewhat dissatisfied|slightly dissatisfied < neutral|neither satisfied nor dissatisfied|neither < somewhat satisfied|slightly satisfied < satisfied < very satisfied|extremely satisfied
very unhappy < unhappy|sad < neutral|neither happy nor unhappy < happy < very happy
very easy|trivial < easy|simple < medium|moderate|neutral|intermediate|normal|average < hard|difficult|challenging < very hard|very difficult|extremely difficult
much worse|far worse|significantly worse < worse < slightly worse|somewhat worse|a bit worse|a little worse < same|the same|about the same|equal|similar|tie|no change|unchanged|equally good < slightly better|somewhat better|a bit better|a little better < better < much better|far better|significantly better
much less|far less|far fewer|much lower < less|fewer|lower < slightly less|somewhat less|slightly lower < same|the same|about the same|equal|no change|unchanged < slightly more|somewhat more|slightly higher < more|higher < much more|far more|much higher
beginner|novice < elementary|basic < intermediate < advanced|proficient < expert
below expectations|does not meet expectations < partially meets expectations|partly meets expectations < meets expectations < exceeds expectations|above expectations
cold < cool < lukewarm < warm < hot
""".strip()
GERMAN = """
keine|kein|keiner|nicht vorhanden < minimal|sehr niedrig|sehr gering|sehr schwach < niedrig|gering|leicht|schwach|wenig < mittel|massig|moderat|mittelmassig|mittelschwer|mittelgradig|mittlere < hoch|stark|schwer|viel < sehr hoch|sehr stark|sehr schwer|extrem
nie|niemals < fast nie|sehr selten < selten < gelegentlich|ab und zu < manchmal < oft|haufig|meistens|meist < sehr oft|sehr haufig|fast immer < immer|stets
ungenugend < mangelhaft < ausreichend < befriedigend < gut < sehr gut
sehr schlecht|katastrophal < schlecht|mangelhaft < mittelmassig|mittel|durchschnittlich|neutral|okay|ok|geht so|teils teils|annehmbar|akzeptabel < gut < sehr gut < ausgezeichnet|hervorragend|exzellent|perfekt
sehr negativ|stark negativ < negativ < eher negativ|leicht negativ < neutral < eher positiv|leicht positiv < positiv < sehr positiv|stark positiv
winzig|sehr klein|sehr kurz < klein|kurz < mittel|mittelgross|mittellang < gross|lang < sehr gross|sehr lang|riesig
nein|nicht|gar nicht < teilweise|teils|zum teil|etwas < ja|ganz|vollstandig|vollig
falsch|nicht richtig < teilweise richtig|teils richtig|zum teil richtig < richtig|korrekt|vollig richtig
irrelevant|nicht relevant < teilweise relevant|etwas relevant|bedingt relevant < relevant < sehr relevant|hochst relevant
stimme uberhaupt nicht zu|stimme gar nicht zu|stimme ganz und gar nicht zu < stimme nicht zu < stimme eher nicht zu < neutral|weder noch|teils teils|unentschieden|stimme teilweise zu < stimme eher zu < stimme zu < stimme voll und ganz zu|stimme vollig zu|stimme voll zu|stimme vollkommen zu|stimme sehr zu
trifft uberhaupt nicht zu|trifft gar nicht zu < trifft nicht zu < trifft eher nicht zu|trifft weniger zu|trifft wenig zu < neutral|teils teils|weder noch|trifft teilweise zu < trifft eher zu|trifft ziemlich zu < trifft zu < trifft voll zu|trifft vollig zu|trifft voll und ganz zu|trifft sehr zu
gar nicht|uberhaupt nicht|nicht < kaum|wenig|ein wenig|etwas|ein bisschen < massig|mittelmassig|einigermassen|teilweise < ziemlich|uberwiegend|eher < sehr|stark < ausserst|vollig|ausserordentlich|extrem|voll und ganz
sehr unwahrscheinlich|ausgeschlossen < unwahrscheinlich < eher unwahrscheinlich < neutral|moglich < eher wahrscheinlich < wahrscheinlich < sehr wahrscheinlich|sicher
sehr unzufrieden < unzufrieden < eher unzufrieden < neutral|teils teils|weder noch < eher zufrieden < zufrieden < sehr zufrieden
sehr leicht|sehr einfach < leicht|einfach < mittel|mittelschwer < schwer|schwierig < sehr schwer|sehr schwierig
viel schlechter|deutlich schlechter < schlechter < etwas schlechter < gleich|gleich gut|unverandert < etwas besser < besser < viel besser|deutlich besser
""".strip()
FRENCH = """
aucun|aucune|nul|nulle|absent|absente < tres faible|minime|minimal|tres leger < faible|bas|basse|leger|legere|mineur|peu < moyen|moyenne|modere|moderee|intermediaire < eleve|elevee|haut|haute|fort|forte|grave|severe|majeur < tres eleve|tres elevee|tres fort|tres forte|extreme|critique
jamais < presque jamais|tres rarement < rarement < occasionnellement|de temps en temps < parfois|quelquefois < souvent|frequemment|la plupart du temps < tres souvent|presque toujours|tres frequemment < toujours
tres mauvais|tres mauvaise|horrible|catastrophique < mauvais|mauvaise|insuffisant|mediocre < moyen|moyenne|passable|acceptable|neutre|correct|assez bien < bon|bonne|bien < tres bon|tres bonne|tres bien < excellent|excellente|parfait|parfaite
tres negatif|tres negative < negatif|negative < plutot negatif|plutot negative < neutre < plutot positif|plutot positive < positif|positive < tres positif|tres positive
tres petit|tres petite|tres court < petit|petite|court|courte < moyen|moyenne < grand|grande|long|longue < tres grand|tres grande|tres long|enorme
non|pas du tout < en partie|partiellement|un peu < oui|entierement|completement|tout a fait
faux|incorrect < partiellement correct|en partie correct < correct|juste|vrai
non pertinent|pas pertinent < partiellement pertinent|peu pertinent < pertinent < tres pertinent
pas du tout d accord|tout a fait en desaccord|fortement en desaccord < pas d accord|en desaccord < plutot pas d accord|plutot en desaccord < neutre|ni d accord ni pas d accord|ni en accord ni en desaccord|sans opinion|indecis < plutot d accord < d accord < tout a fait d accord|fortement d accord|entierement d accord
pas du tout < un peu|legerement|peu|a peine < moderement|moyennement|assez|plus ou moins < beaucoup|tres|plutot < extremement|enormement|tout a fait|completement
tres improbable|tres peu probable < improbable|peu probable < neutre|possible < probable < tres probable|certain
tres insatisfait|tres insatisfaite < insatisfait|insatisfaite < neutre|ni satisfait ni insatisfait < satisfait|satisfaite < tres satisfait|tres satisfaite
tres facile < facile < moyen|moyenne < difficile < tres difficile
bien pire|beaucoup moins bien < pire|moins bien < un peu moins bien < egal|pareil|identique|equivalent < un peu mieux|legerement mieux < mieux|meilleur < beaucoup mieux|bien meilleur
""".strip()
SPANISH = """
ninguno|ninguna|nulo|nula|ausente < muy bajo|muy baja|minimo|minima < bajo|baja|leve|ligero|ligera|menor|poco < medio|media|moderado|moderada|intermedio|intermedia < alto|alta|fuerte|grave|severo|severa|mayor < muy alto|muy alta|muy grave|muy fuerte|extremo|extrema|critico|critica
nunca|jamas < casi nunca|muy raramente < raramente|rara vez|pocas veces < ocasionalmente|de vez en cuando < a veces|algunas veces < a menudo|con frecuencia|frecuentemente|muchas veces < muy a menudo|casi siempre|muy frecuentemente < siempre
muy malo|muy mala|pesimo|pesima|horrible < malo|mala|deficiente|insuficiente < regular|aceptable|neutral|neutro|normal|suficiente < bueno|buena|bien < muy bueno|muy buena|muy bien < excelente|perfecto|perfecta
muy negativo|muy negativa < negativo|negativa < algo negativo|algo negativa < neutral|neutro|neutra < algo positivo|algo positiva < positivo|positiva < muy positivo|muy positiva
muy pequeno|muy pequena|muy corto < pequeno|pequena|corto|corta < mediano|mediana|medio|media < grande|largo|larga < muy grande|muy largo|enorme
no|en absoluto < en parte|parcialmente|un poco|parcial < si|totalmente|completamente|total|completo
incorrecto|incorrecta < parcialmente correcto|parcialmente correcta < correcto|correcta
irrelevante|no relevante < parcialmente relevante|algo relevante < relevante < muy relevante
totalmente en desacuerdo|muy en desacuerdo|completamente en desacuerdo < en desacuerdo < algo en desacuerdo|parcialmente en desacuerdo < neutral|ni de acuerdo ni en desacuerdo|indeciso|neutro < algo de acuerdo|parcialmente de acuerdo < de acuerdo < totalmente de acuerdo|muy de acuerdo|completamente de acuerdo
nada|en absoluto|para nada < un poco|poco|ligeramente < algo|moderadamente|regular < bastante|mucho < muchisimo|extremadamente|totalmente|completamente
muy improbable|muy poco probable < improbable|poco probable < neutral|posible < probable < muy probable|seguro
muy insatisfecho|muy insatisfecha < insatisfecho|insatisfecha < neutral|ni satisfecho ni insatisfecho < satisfecho|satisfecha < muy satisfecho|muy satisfecha
muy facil < facil < medio|media|normal < dificil < muy dificil
mucho peor < peor < un poco peor|algo peor < igual|lo mismo < un poco mejor|algo mejor < mejor < mucho mejor
""".strip()
ITALIAN = """
nessuno|nessuna|nullo|nulla|assente < molto basso|molto bassa|minimo|minima < basso|bassa|lieve|leggero|leggera|minore|poco < medio|media|moderato|moderata|intermedio|intermedia < alto|alta|forte|grave|severo|severa|maggiore < molto alto|molto alta|molto grave|molto forte|estremo|estrema|critico|critica
mai < quasi mai|molto raramente < raramente|di rado < occasionalmente|ogni tanto < a volte|qualche volta|talvolta < spesso|frequentemente < molto spesso|quasi sempre < sempre
pessimo|pessima|molto cattivo|molto scarso|terribile < cattivo|cattiva|scarso|scarsa|insufficiente|male < sufficiente|accettabile|neutro|neutrale|discreto|discreta|medio|mediocre < buono|buona|bene < molto buono|molto buona|ottimo|ottima|molto bene < eccellente|perfetto|perfetta
molto negativo|molto negativa < negativo|negativa < abbastanza negativo|abbastanza negativa < neutro|neutrale < abbastanza positivo|abbastanza positiva < positivo|positiva < molto positivo|molto positiva
molto piccolo|molto piccola|molto corto < piccolo|piccola|corto|corta|breve < medio|media < grande|lungo|lunga < molto grande|molto lungo|enorme
no|per niente < in parte|parzialmente|parziale|un po < si|completamente|totalmente|completo
sbagliato|scorretto|errato < parzialmente corretto|in parte corretto < corretto|giusto
irrilevante|non rilevante < parzialmente rilevante|poco rilevante < rilevante < molto rilevante
fortemente in disaccordo|totalmente in disaccordo|molto in disaccordo|completamente in disaccordo|per niente d accordo < in disaccordo|non d accordo < abbastanza in disaccordo|poco d accordo < neutrale|neutro|ne d accordo ne in disaccordo|indeciso < abbastanza d accordo|parzialmente d accordo < d accordo < fortemente d accordo|totalmente d accordo|molto d accordo|completamente d accordo
per niente|per nulla|affatto < poco|un po|leggermente < moderatamente|abbastanza < molto|parecchio < moltissimo|estremamente|completamente
molto improbabile|molto poco probabile < improbabile|poco probabile < neutrale|neutro|possibile < probabile < molto probabile|certo
molto insoddisfatto|molto insoddisfatta < insoddisfatto|insoddisfatta < neutrale|neutro|ne soddisfatto ne insoddisfatto < soddisfatto|soddisfatta < molto soddisfatto|molto soddisfatta
molto facile < facile < medio|media|normale < difficile < molto difficile
molto peggio|molto peggiore < peggio|peggiore < un po peggio|leggermente peggio < uguale|lo stesso|pari < un po meglio|leggermente meglio < meglio|migliore < molto meglio|molto migliore
""".strip()
PORTUGUESE = """
nenhum|nenhuma|nulo|nula|ausente < muito baixo|muito baixa|minimo|minima < baixo|baixa|leve|ligeiro|ligeira|menor|pouco < medio|media|moderado|moderada|intermediario|intermedio < alto|alta|elevado|elevada|forte|grave|severo|severa|maior < muito alto|muito alta|muito grave|muito forte|extremo|extrema|critico|critica
nunca|jamais < quase nunca|muito raramente < raramente < ocasionalmente|de vez em quando < as vezes|algumas vezes < frequentemente|muitas vezes|com frequencia < muito frequentemente|quase sempre < sempre
muito ruim|muito mau|muito ma|pessimo|pessima|horrivel < ruim|mau|ma|insuficiente|fraco < regular|razoavel|aceitavel|neutro|neutra|mediano|suficiente < bom|boa|bem < muito bom|muito boa|otimo|otima|muito bem < excelente|perfeito|perfeita
muito negativo|muito negativa < negativo|negativa < um pouco negativo|um pouco negativa < neutro|neutra < um pouco positivo|um pouco positiva < positivo|positiva < muito positivo|muito positiva
muito pequeno|muito pequena|muito curto < pequeno|pequena|curto|curta < medio|media < grande|longo|longa < muito grande|muito longo|enorme
nao|de modo nenhum < em parte|parcialmente|parcial|um pouco < sim|totalmente|completamente|total|completo
incorreto|incorreta|errado < parcialmente correto|parcialmente correta < correto|correta|certo
irrelevante|nao relevante < parcialmente relevante|pouco relevante < relevante < muito relevante
discordo totalmente|discordo completamente|discordo fortemente < discordo < discordo parcialmente|discordo em parte|discordo um pouco < neutro|nao concordo nem discordo|nem concordo nem discordo|indeciso|indiferente < concordo parcialmente|concordo em parte|concordo um pouco < concordo < concordo totalmente|concordo completamente|concordo fortemente
nada|de modo nenhum|de forma alguma < pouco|um pouco|ligeiramente < moderadamente|mais ou menos|razoavelmente < muito|bastante < extremamente|muitissimo|totalmente|completamente
muito improvavel|muito pouco provavel < improvavel|pouco provavel < neutro|possivel < provavel < muito provavel|certo
muito insatisfeito|muito insatisfeita < insatisfeito|insatisfeita < neutro|neutra|nem satisfeito nem insatisfeito < satisfeito|satisfeita < muito satisfeito|muito satisfeita
muito facil < facil < medio|media|normal < dificil < muito dificil
muito pior < pior < um pouco pior < igual|o mesmo < um pouco melhor < melhor < muito melhor
""".strip()
DUTCH = """
geen|afwezig < minimaal|zeer laag|heel laag|zeer licht < laag|licht|gering|zwak|klein|weinig < matig|gemiddeld|middelmatig|midden|medium|normaal < hoog|sterk|ernstig|zwaar|veel < zeer hoog|heel hoog|zeer sterk|zeer ernstig|extreem|kritiek
nooit < bijna nooit|zeer zelden < zelden < af en toe|nu en dan < soms < vaak|dikwijls|meestal|regelmatig < zeer vaak|heel vaak|bijna altijd < altijd
zeer slecht|heel slecht|vreselijk < slecht|onvoldoende < matig|redelijk|voldoende|neutraal|gemiddeld|acceptabel|ok|oke < goed < zeer goed|heel goed < uitstekend|perfect|uitmuntend
zeer negatief|heel negatief < negatief < enigszins negatief|licht negatief < neutraal < enigszins positief|licht positief < positief < zeer positief|heel positief
zeer klein|heel klein|zeer kort < klein|kort < middel|gemiddeld|middelgroot|medium < groot|lang < zeer groot|heel groot|zeer lang|enorm
nee|helemaal niet < gedeeltelijk|deels|ten dele|een beetje < ja|volledig|helemaal
onjuist|fout|incorrect < gedeeltelijk juist|deels juist|gedeeltelijk correct < juist|correct|goed
irrelevant|niet relevant < gedeeltelijk relevant|enigszins relevant < relevant < zeer relevant
helemaal mee oneens|zeer mee oneens|volledig mee oneens|helemaal oneens|zeer oneens < mee oneens|oneens < enigszins mee oneens|beetje oneens|enigszins oneens < neutraal|niet mee eens niet mee oneens|noch eens noch oneens|niet eens niet oneens|eens noch oneens < enigszins mee eens|beetje eens|enigszins eens < mee eens|eens < helemaal mee eens|zeer mee eens|volledig mee eens|helemaal eens|zeer eens
helemaal niet|niet < een beetje|beetje|nauwelijks|weinig < enigszins|matig|redelijk < behoorlijk|nogal|tamelijk < zeer|heel|erg|veel < extreem|volledig|helemaal|uiterst
zeer onwaarschijnlijk|heel onwaarschijnlijk < onwaarschijnlijk < neutraal|mogelijk < waarschijnlijk < zeer waarschijnlijk|heel waarschijnlijk|zeker
zeer ontevreden|heel ontevreden < ontevreden < neutraal|niet tevreden niet ontevreden < tevreden < zeer tevreden|heel tevreden
zeer makkelijk|zeer gemakkelijk|heel makkelijk < makkelijk|gemakkelijk|eenvoudig < gemiddeld|middel < moeilijk|lastig < zeer moeilijk|heel moeilijk
veel slechter < slechter < iets slechter|een beetje slechter < gelijk|hetzelfde|even goed < iets beter|een beetje beter < beter < veel beter
""".strip()


def folded(text: str) -> str:
    """A word as the lists write it: small, without accents, one blank for hyphens, dots, apostrophes and blanks.

    >>> folded("Stimme VÖLLIG zu"), folded("Not-at_all"), folded("d’accord")
    ('stimme vollig zu', 'not at all', 'd accord')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = (letter if letter.isalnum() else " " for letter in plain if not unicodedata.combining(letter))
    return " ".join("".join(letters).split())


@cache
def known_orders() -> tuple[dict[str, int], ...]:
    """Every scale as the rank of each of its words."""
    every = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
    lines = [line for language in every for line in language.splitlines()]
    return tuple(
        {word.strip(): rank for rank, words in enumerate(line.split("<")) for word in words.split("|")}
        for line in lines
    )
