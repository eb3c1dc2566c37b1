extension ColumnLanguage {
    /// The known languages.
    static let all = [german, french, spanish, italian, dutch, portuguese, brazilian, polish, czech, russian]

    private static let german = ColumnLanguage(
        [
            .given: "vorname", .family: "nachname familienname zuname", .formattedName: "name anzeigename",
            .prefix: "anrede titel", .suffix: "suffix namenszusatz", .nickname: "spitzname",
            .company: "firma organisation unternehmen", .department: "abteilung",
            .title: "position arbeitstitel berufsbezeichnung", .role: "beruf",
            .phone: "telefon tel telefonnummer rufnummer festnetz haupttelefon",
            .mobile: "mobil mobiltelefon handy handynummer mobilnummer mobiltelefonnummer",
            .fax: "fax telefax faxnummer", .pager: "pager pagernummer", .email: "email mail mailadresse",
            .url: "webseite website homepage internetseite", .street: "straße strasse str",
            .address: "adresse anschrift", .locality: "ort stadt wohnort", .region: "bundesland region kanton",
            .postalCode: "plz postleitzahl", .country: "land", .postOfficeBox: "postfach",
            .home: "privat privates private privater", .work: "geschäftlich dienstlich beruflich arbeit",
            .other: "weitere weiterer weiteres weiteren andere sonstige", .tags: "kategorien gruppen",
            .note: "notizen notiz bemerkung bemerkungen anmerkung anmerkungen", .birthday: "geburtstag geburtsdatum",
            .birthYear: "geburtsjahr", .birthMonth: "geburtsmonat", .anniversary: "jahrestag hochzeitstag",
            .spouse: "partner ehepartner", .children: "kinder",
            .filler: "nr nummer r e primäre sekundäre erste zweite dritte", .ignored: "typ angezeigter",
        ],
        phrases: [
            .additional: "weitere vornamen,zweiter vorname", .title: "job titel",
            .formattedName: "vollständiger name", .email: "email adressen",
        ])

    private static let french = ColumnLanguage(
        [
            .given: "prénom prénoms", .family: "nom", .prefix: "titre civilité", .suffix: "suffixe",
            .nickname: "surnom", .company: "société organisation entreprise", .department: "service département",
            .title: "fonction poste", .role: "profession", .phone: "téléphone tél tel telephone",
            .mobile: "mobile portable", .fax: "fax télécopie télécopieur", .pager: "pager radiomessagerie",
            .email: "email mail courriel mél messagerie", .url: "web", .street: "rue", .address: "adresse",
            .locality: "ville", .region: "région province état", .postalCode: "postal", .country: "pays",
            .home: "domicile personnel personnelle privé privée",
            .work: "bureau professionnel professionnelle travail", .other: "autre autres",
            .main: "principal principale", .tags: "catégories groupes", .note: "notes remarques commentaires",
            .birthday: "anniversaire", .spouse: "conjoint", .children: "enfants",
            .filler: "de du des la le les l d numéro n code site page électronique secondaire",
        ],
        phrases: [
            .family: "nom de famille", .formattedName: "nom à afficher,nom complet,nom affiché",
            .additional: "deuxième prénom", .birthday: "date de naissance", .birthYear: "année de naissance",
            .birthMonth: "mois de naissance", .birthDay: "jour de naissance",
            .anniversary: "anniversaire de mariage,anniversaire de mariage ou fête", .postOfficeBox: "boîte postale",
            .email:
                "courrier électronique,adresse électronique,adresse électronique principale,"
                + "adresse électronique secondaire",
        ])

    private static let spanish = ColumnLanguage(
        [
            .given: "nombre", .family: "apellido apellidos", .prefix: "título tratamiento", .suffix: "sufijo",
            .nickname: "apodo alias", .company: "empresa organización compañía", .department: "departamento",
            .title: "puesto cargo", .role: "profesión", .phone: "teléfono telefono tel",
            .mobile: "móvil movil celular", .fax: "fax", .pager: "localizador buscapersonas",
            .email: "email mail correo", .url: "web", .street: "calle", .address: "dirección direccion domicilio",
            .locality: "ciudad población localidad", .region: "provincia estado", .postalCode: "postal",
            .country: "país pais", .home: "particular casa personal privado privada", .work: "trabajo",
            .other: "otro otra otros", .main: "principal", .tags: "categorías grupos",
            .note: "notas nota observaciones", .birthday: "cumpleaños", .anniversary: "aniversario",
            .spouse: "cónyuge", .children: "hijos",
            .filler:
                "de del la el número numero código codigo electrónico electronico página pagina sitio "
                + "primario secundario",
        ],
        phrases: [
            .formattedName: "nombre completo,nombre para mostrar,mostrar como", .additional: "segundo nombre",
            .birthday: "fecha de nacimiento", .birthYear: "año de nacimiento", .birthMonth: "mes de nacimiento",
            .birthDay: "día de nacimiento",
        ])

    private static let italian = ColumnLanguage(
        [
            .given: "nome", .family: "cognome", .prefix: "titolo", .suffix: "suffisso", .nickname: "soprannome",
            .company: "società azienda organizzazione ditta", .department: "reparto",
            .title: "posizione qualifica mansione", .role: "professione", .phone: "telefono tel",
            .mobile: "cellulare", .fax: "fax", .pager: "cercapersone", .email: "email mail posta", .url: "web",
            .street: "via", .address: "indirizzo", .locality: "città citta", .region: "provincia regione",
            .postalCode: "cap postale", .country: "paese nazione", .home: "abitazione casa personale privato privata",
            .work: "ufficio lavoro", .other: "altro altra altri", .main: "principale", .tags: "categorie gruppi",
            .note: "note annotazioni", .birthday: "compleanno", .anniversary: "anniversario", .spouse: "coniuge",
            .children: "figli", .filler: "di del della numero codice elettronica sito pagina secondario secondaria",
        ],
        phrases: [
            .formattedName: "nome visualizzato,nome completo", .additional: "secondo nome",
            .birthday: "data di nascita", .birthYear: "anno di nascita", .birthMonth: "mese di nascita",
            .birthDay: "giorno di nascita", .postOfficeBox: "casella postale",
        ])

    private static let dutch = ColumnLanguage(
        [
            .given: "voornaam", .family: "achternaam", .additional: "tussenvoegsel",
            .formattedName: "naam weergavenaam", .prefix: "aanhef titel", .suffix: "achtervoegsel",
            .nickname: "bijnaam", .company: "bedrijf organisatie", .department: "afdeling", .title: "functie",
            .role: "beroep", .phone: "telefoon tel telefoonnummer", .mobile: "mobiel mobiele gsm",
            .fax: "fax faxnummer", .pager: "pager semafoon", .email: "email mail mailadres emailadres",
            .url: "website webpagina", .street: "straat", .address: "adres", .locality: "plaats woonplaats stad",
            .region: "provincie", .postalCode: "postcode", .country: "land", .postOfficeBox: "postbus",
            .home: "thuis privé prive", .work: "werk zakelijk", .other: "andere ander overig overige",
            .tags: "categorieën groepen", .note: "notities opmerkingen", .birthday: "verjaardag geboortedatum",
            .birthYear: "geboortejaar", .birthMonth: "geboortemaand", .birthDay: "geboortedag",
            .spouse: "partner echtgenoot", .children: "kinderen", .filler: "nummer primaire secundaire",
        ], phrases: [.additional: "middelste naam,tweede naam", .formattedName: "volledige naam"])

    private static let portuguese = ColumnLanguage(
        portugueseWords.merging([.family: "apelido apelidos", .nickname: "alcunha"]) { $1 }, phrases: portuguesePhrases)
    private static let brazilian = ColumnLanguage(
        portugueseWords.merging([.family: "sobrenome", .nickname: "apelido"]) { $1 }, phrases: portuguesePhrases)

    private static let portugueseWords: [Concept: String] = [
        .given: "nome", .prefix: "título tratamento", .suffix: "sufixo", .company: "empresa organização companhia",
        .department: "departamento", .title: "cargo função", .role: "profissão", .phone: "telefone tel",
        .mobile: "celular telemóvel móvel", .fax: "fax", .pager: "pager", .email: "email mail correio",
        .url: "web website", .street: "rua", .address: "endereço morada", .locality: "cidade localidade",
        .region: "estado distrito província", .postalCode: "cep postal", .country: "país",
        .home: "casa residencial pessoal particular", .work: "trabalho comercial emprego",
        .other: "outro outra outros", .main: "principal", .tags: "categorias grupos", .note: "notas observações",
        .birthday: "aniversário", .spouse: "cônjuge", .children: "filhos",
        .filler: "de do da número código eletrônico electrónico eletrônica página site secundário",
    ]
    private static let portuguesePhrases: [Concept: String] = [
        .formattedName: "nome completo,nome de exibição", .additional: "segundo nome,nome do meio",
        .birthday: "data de nascimento", .birthYear: "ano de nascimento", .birthMonth: "mês de nascimento",
        .birthDay: "dia de nascimento", .anniversary: "aniversário de casamento", .postOfficeBox: "caixa postal",
    ]

    private static let polish = ColumnLanguage(
        [
            .given: "imię", .family: "nazwisko", .prefix: "tytuł", .suffix: "sufiks", .nickname: "pseudonim ksywka",
            .company: "firma organizacja", .department: "dział wydział", .title: "stanowisko", .role: "zawód",
            .phone: "telefon tel telefonu", .mobile: "komórkowy komórka komórkowego", .fax: "faks fax faksu",
            .pager: "pager pagera", .email: "email mail poczta poczty", .url: "www web internetowa", .street: "ulica",
            .address: "adres", .locality: "miasto miejscowość", .region: "województwo", .postalCode: "pocztowy",
            .country: "kraj państwo", .home: "dom domowy domowa domowego prywatny prywatna",
            .work: "służbowy służbowa służbowego praca", .other: "inny inna inne", .main: "główny",
            .tags: "kategorie grupy", .note: "notatki uwagi", .birthday: "urodziny", .anniversary: "rocznica",
            .spouse: "współmałżonek małżonek", .children: "dzieci",
            .filler: "numer nr kod elektroniczna elektronicznej strona podstawowy dodatkowy",
        ],
        phrases: [
            .formattedName: "imię i nazwisko,nazwa wyświetlana,wyświetlana nazwa", .additional: "drugie imię",
            .birthday: "data urodzenia", .birthYear: "rok urodzenia", .birthMonth: "miesiąc urodzenia",
            .birthDay: "dzień urodzenia", .postOfficeBox: "skrytka pocztowa",
        ])

    private static let czech = ColumnLanguage(
        [
            .given: "jméno", .family: "příjmení", .prefix: "titul oslovení", .nickname: "přezdívka",
            .company: "společnost firma organizace", .department: "oddělení", .title: "pozice funkce",
            .role: "povolání profese", .phone: "telefon tel", .mobile: "mobil mobilní", .fax: "fax", .pager: "pager",
            .email: "email emailová mail", .url: "web www webová", .street: "ulice", .address: "adresa",
            .locality: "město obec", .region: "kraj", .postalCode: "psč", .country: "země stát",
            .home: "domů domácí soukromý soukromá", .work: "zaměstnání pracovní práce",
            .other: "jiný jiná ostatní další", .main: "hlavní", .tags: "kategorie skupiny",
            .note: "poznámky poznámka", .birthday: "narozeniny", .anniversary: "výročí", .children: "děti",
            .filler: "číslo stránka do",
        ],
        phrases: [
            .formattedName: "zobrazované jméno,celé jméno", .additional: "druhé jméno,prostřední jméno",
            .birthday: "datum narození", .birthYear: "rok narození", .birthMonth: "měsíc narození",
            .birthDay: "den narození",
        ])

    private static let russian = ColumnLanguage(
        [
            .given: "имя", .family: "фамилия", .additional: "отчество", .formattedName: "фио", .prefix: "обращение",
            .suffix: "суффикс", .nickname: "псевдоним прозвище", .company: "организация компания",
            .department: "отдел", .title: "должность", .role: "профессия", .phone: "телефон тел",
            .mobile: "мобильный сотовый переносной", .fax: "факс", .pager: "пейджер",
            .email: "email mail почта почты", .url: "сайт веб", .street: "улица", .address: "адрес",
            .locality: "город", .region: "область край регион", .postalCode: "индекс", .country: "страна",
            .home: "домашний домашняя дом", .work: "рабочий рабочая раб служебный", .other: "другой другая",
            .main: "основной", .tags: "категории группы", .note: "заметки примечания", .birthday: "рождения",
            .anniversary: "годовщина", .spouse: "супруг супруга", .children: "дети",
            .filler: "номер почтовый электронная электронной эл страница или день дата",
        ],
        phrases: [
            .formattedName: "полное имя,отображаемое имя", .birthYear: "год рождения", .birthMonth: "месяц рождения",
        ])
}
