"""Writes address books for the benchmarks: the same seed gives the same cards.

    cards.py COUNT FILE        one file with COUNT cards of about 500 bytes
    cards.py COUNT DIR/        a vdir: one file for each card
"""

import os
import random
import sys

GIVEN = """Anna Jan Maria Piotr Zoë Łukasz Jörg Søren Ðorđe İpek Ángel Chloé Владимир Ольга Наталья Дмитрий 伟 秀英 娜 太郎 花子
Ada Grace Alan Edsger Barbara Donald Margaret Linus Radia Ken Dennis Brian Bjarne Guido Larry Yukihiro Rob""".split()
FAMILY = """Nowak Kowalska Wiśniewski Müller Schäfer Strauß Hansen Ødegård Lindström Åkesson Yılmaz García Núñez Dubois Lefèvre
Иванов Кузнецова Соколов Попова 王 李 张 刘 田中 佐藤 Lovelace Hopper Turing Dijkstra Liskov Knuth Hamilton Perlman""".split()
STREETS = "Main Oak Hauptstraße Rynek Długa Kirchweg Via.Roma Ленина 中山路 Rue.de.Lyon".replace(".", " ").split()
CITIES = "Kraków Berlin Łódź København Москва 北京 Lyon Zürich Lisboa Boston".split()
COMPANIES = "Acme;Research|Globex GmbH|Initech|Umbrella SA;Legal|Żabka|ООО Вектор|株式会社サクラ|Hooli".split("|")
TAGS = "friends work family chess choir neighbours".split()
WORDS = "met at the conference in spring likes green tea and long walks plays the cello calls on Sundays only".split()


def fold(line):
    """Folds a content line at 75 octets without splitting a character (RFC 6350, section 3.2)."""
    parts, current, size = [], "", 0
    for character in line:
        width = len(character.encode())
        if size + width > 75:
            parts.append(current)
            current, size = " ", 1
        current += character
        size += width
    return "\r\n".join(parts + [current])


def card(number, chance):
    given, family = chance.choice(GIVEN), chance.choice(FAMILY)
    name = f"{given} {family}"
    mail = f"user{number}@{chance.choice(['example.org', 'example.net', 'mail.example.com'])}"
    lines = [
        "BEGIN:VCARD", "VERSION:3.0", f"UID:urn:uuid:{chance.getrandbits(128):032x}",
        f"FN:{name}", f"N:{family};{given};;;",
        f"TEL;TYPE=CELL:+48 {chance.randrange(500, 899)} {chance.randrange(1000):03} {chance.randrange(1000):03}",
        f"TEL;TYPE=HOME,VOICE:+49 {chance.randrange(30, 999)} {chance.randrange(10**6, 10**7)}",
        f"EMAIL;TYPE=INTERNET,HOME:{mail}",
        f"item1.EMAIL;TYPE=INTERNET:{number}.{chance.randrange(10**6)}@work.example.com",
        "item1.X-ABLabel:_$!<Work>!$_",
        f"ADR;TYPE=HOME:;;{chance.choice(STREETS)} {chance.randrange(1, 200)};{chance.choice(CITIES)};;{chance.randrange(10000, 99999)};",
        f"ORG:{chance.choice(COMPANIES)}", f"BDAY:{chance.randrange(1940, 2010)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
        f"CATEGORIES:{chance.choice(TAGS)}", "NOTE:" + " ".join(chance.choices(WORDS, k=10)),
        f"X-CUSTOM-{chance.randrange(9)}:kept as it is", "REV:20260102T030405Z", "END:VCARD",
    ]
    return "\r\n".join(fold(line) for line in lines) + "\r\n"


def write(count, target, seed=20260102):
    chance = random.Random(seed)
    if target.endswith("/"):
        os.makedirs(target, exist_ok=True)
        for number in range(count):
            with open(f"{target}{number:06}.vcf", "w", newline="") as file:
                file.write(card(number, chance))
    else:
        with open(target, "w", newline="") as file:
            for number in range(count):
                file.write(card(number, chance))


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2])
