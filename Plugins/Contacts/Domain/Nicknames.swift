/// Given names that are short or other forms of each other, such as Bob and Robert.
///
/// They are only used to propose duplicates for review, so the table has the common ones and omits the rest.
enum Nicknames {
    /// Returns the sets that a folded given name belongs to; two names of one set may be of the same person.
    static func sets(of name: String) -> [Int] { byName[name] ?? [] }

    /// Whether two different folded given names may be of the same person.
    static func arePair(_ left: String, _ right: String) -> Bool {
        left != right && !Set(sets(of: left)).isDisjoint(with: sets(of: right))
    }

    private static let byName: [String: [Int]] = {
        var result: [String: [Int]] = [:]
        for (number, line) in table.split(separator: "\n").enumerated() {
            for name in line.split(separator: " ") { result[String(name), default: []].append(number) }
        }
        return result
    }()

    private static let table = """
        abigail abby gail
        agnieszka aga
        albert al bert
        aleksander alexander alex alec sandy sasha sascha xander olek aleksandr
        aleksandra alexandra alex sandra sasha ola
        alfred al fred alfie
        andrew andy drew andrei andre
        andreas andi andy
        anna ann anne annie ania anya hanna hannah
        anastasia stacy nastya
        anthony antoni antonio tony toni tonio
        arthur art artie
        barbara barb babs basia
        benjamin ben benny benji
        bernard bernhard bernie bernd
        catherine katherine kathryn katarzyna katharina kate katie kathy cathy cat kasia katja kitty
        charles charlie chuck karl carl carlos chas
        charlotte lotte lottie charlie
        christian chris
        christina christine chris tina chrissy krystyna
        christopher chris topher kit christoph krzysztof
        daniel dan danny
        david dave davy
        deborah deb debbie
        dmitri dmitry dmitrii dima
        donald don donnie
        dorothy dot dottie dorota
        edward ed eddie ted teddy ned eduard
        eleanor ellie nell nora
        elizabeth elisabeth elzbieta liz lizzie beth betty eliza ela lisa lise bess elsa libby
        emily em emmy
        eugene gene evgeny evgenii zhenya
        francis frank fran franciszek francesco
        frances fran fanny francesca franziska
        frederick frederic friedrich fred freddie fritz
        gabriel gabe
        gabriela gabrielle gabi gaby
        george georg jerzy jurek jorge
        gerald gerry jerry gerard
        gregory greg grzegorz grzesiek
        henry harry hank heinrich heinz henryk
        isabella isabel isabelle bella izabela iza
        jacob jake jakob jakub kuba
        jadwiga jadzia
        james jim jimmy jamie
        jan janek johannes hans jens
        jennifer jen jenny
        jessica jess jessie
        joanna jo joan asia
        john johnny jack jon johannes
        jonathan jon jonny nathan
        joseph joe joey jozef josef jose josep pepe jupp sepp
        josephine jo josie
        joshua josh
        judith judy jutta
        juergen jorg jurgen
        kenneth ken kenny
        larry lawrence laurence lars
        leonard len lenny leo
        magdalena magda lena maggie
        malgorzata gosia
        margaret maggie meg peggy greta gretchen margarete margarethe rita marge
        maria mary marie marysia mia masha maruska
        martin marty marcin
        matthew matt matty mateusz matthias
        maximilian max maks
        michael mike mick micky mikey michal michel misha mikhail michi
        nathaniel nathan nate nat
        natalia natalie nat natasha natalya
        nicholas nikolaus nick nicky nico klaus mikolaj nikolai kolya
        olga olya
        pamela pam
        patricia pat patty trish tricia
        patrick pat paddy
        paul pawel pavel paolo pablo
        peter pete piotr pjotr pyotr pedro pietro
        philip phillip phil filip
        rebecca becky becca
        richard rich rick ricky dick ryszard
        robert rob bob bobby robbie bert roberto
        ronald ron ronnie
        samuel sam sammy
        samantha sam
        sebastian seb basti bastian
        sergei sergey seryozha
        sophia sofia sophie zofia zosia sonya
        stanislaw staszek stan
        stephen steven steve stefan stephan szczepan etienne
        susan susanne suzanne sue susie suzy zuzanna
        teresa theresa tess terry tessa
        theodore ted teddy theo fyodor
        thomas tom tommy tomasz tomek tomas
        timothy tim timmy
        tatiana tanya tatyana
        ursula ulla uschi urszula
        victoria vicky tori wiktoria
        vladimir volodya vova wlodzimierz
        walter walt wally
        william bill billy will willy liam wilhelm guillermo guillaume
        wojciech wojtek
        zachary zach zack
        """
}
