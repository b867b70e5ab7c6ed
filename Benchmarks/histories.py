"""Makes what an older adult may have told a companion, and questions about it, in English and Spanish.

A history holds facts that are asked for, each once, and any number of other remarks. The kernels are written by hand; names,
places and dates are drawn by a seeded generator, so that the same seed gives the same histories everywhere.
"""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    kind: str  # paraphrase, name or date
    asked: str
    memory: int  # the place in the history of the fact that answers it


# A fact and a question about it, with few words in common.
PARAPHRASES = {
    "en": [
        ("My cat is called Biscuit and sleeps on my bed.", "What did I name my pet?"),
        ("My knees ache when I walk up to my flat.", "Why are the stairs so hard for me?"),
        ("I worked as a nurse for thirty years.", "What was my job before I retired?"),
        ("Harold died in spring and the house is so quiet now.", "How long have I been a widow?"),
        ("Peanuts make my throat swell up.", "Which food am I allergic to?"),
        ("I put on Ella Fitzgerald in the evenings.", "What music do I like to listen to?"),
        ("My hearing aid whistles and I miss half of what is said.", "Do I have trouble understanding people?"),
        ("I hardly sleep, I lie awake until three.", "Am I tired because of bad nights?"),
        ("My father fought in Normandy.", "Was anybody in my family a soldier?"),
        ("I make chicken soup the way Mother did.", "What do I like to cook?"),
        ("I water the tomatoes on the balcony every evening.", "Do I grow any vegetables?"),
        ("Nobody has visited me in weeks.", "Have I been feeling lonely?"),
        ("I was born on a farm in Vermont.", "Where did I grow up?"),
        ("We had a blue Buick in those days.", "What car did we drive?"),
        ("I lost my purse on the bus last winter.", "Did I ever have my money go missing?"),
        ("The doctor told me to stop eating salt.", "Is there anything that I should leave off my plate?"),
        ("I swim two lengths every Tuesday at the pool.", "What exercise do I take?"),
        ("I read detective novels until my eyes hurt.", "Which books do I enjoy?"),
        ("My left eye has a cataract.", "What is wrong with my sight?"),
        ("I keep the spare key under the flowerpot.", "Where can the carer find something to open the door?"),
        ("I slipped in the bathtub and bruised my hip.", "Have I fallen recently?"),
        ("I cannot stand the taste of liver.", "What should nobody serve me for dinner?"),
        ("I play bridge with three old colleagues.", "What game do I meet friends for?"),
        ("I was married in a tiny chapel by the sea.", "What was our wedding like?"),
        ("The heating in the bedroom has stopped working.", "Why is it so cold where I sleep?"),
        ("I sing alto in the church choir.", "Do I do anything musical with others?"),
        ("My first kiss was behind the cinema.", "What do I remember of being young and in love?"),
        ("I am afraid of going under the knife.", "How do I feel about the operation?"),
        ("I paint little watercolours of birds.", "What is my hobby?"),
        ("I gave up cigarettes when I turned fifty.", "Did I use to smoke?"),
        ("My pension does not reach to the end of the month.", "Am I short of money?"),
        ("A stranger on the telephone wanted my savings account.", "Has anyone tried to cheat me?"),
        ("I take a small glass of sherry before supper.", "Do I drink alcohol?"),
        ("My hands shake when I hold a cup.", "Do I have a tremor?"),
        ("The neighbours upstairs dance until midnight.", "Who is making noise in this building?"),
        ("I would like my ashes scattered on the lake.", "What are my wishes for after my death?"),
        ("I taught myself to knit during the long strike.", "How did I learn to make sweaters?"),
        ("I get dizzy when I stand up quickly.", "What happens when I rise from a chair?"),
        ("We honeymooned in Niagara Falls.", "Where did we travel right after the wedding?"),
        ("I have worn dentures since the accident.", "Are my teeth my own?"),
    ],
    "es": [
        ("Mi gata se llama Galleta y duerme en mi cama.", "¿Qué nombre le puse a mi mascota?"),
        ("Me duelen las rodillas al subir a mi piso.", "¿Por qué me cuestan tanto las escaleras?"),
        ("Trabajé de enfermera treinta años.", "¿A qué me dedicaba antes de jubilarme?"),
        ("Manuel murió en primavera y la casa está muy callada.", "¿Desde cuándo soy viuda?"),
        ("Los cacahuetes me hinchan la garganta.", "¿A qué comida soy alérgica?"),
        ("Por las noches pongo discos de Rocío Jurado.", "¿Qué música me gusta escuchar?"),
        ("El audífono me pita y me pierdo la mitad.", "¿Me cuesta entender a la gente?"),
        ("Casi no duermo, estoy despierta hasta las tres.", "¿Estoy cansada por las malas noches?"),
        ("Mi padre estuvo en la batalla del Ebro.", "¿Hubo algún soldado en mi familia?"),
        ("Hago el cocido como lo hacía mi madre.", "¿Qué me gusta cocinar?"),
        ("Riego los tomates del balcón cada tarde.", "¿Cultivo alguna verdura?"),
        ("Hace semanas que no me visita nadie.", "¿Me he sentido sola?"),
        ("Nací en una aldea de Asturias.", "¿Dónde me crié?"),
        ("En aquellos tiempos teníamos un Seiscientos blanco.", "¿Qué coche conducíamos?"),
        ("El invierno pasado perdí el monedero en el autobús.", "¿Me faltó dinero alguna vez?"),
        ("El médico me ha prohibido la sal.", "¿Hay algo que deba quitar del plato?"),
        ("Nado dos largos todos los martes en la piscina.", "¿Qué ejercicio hago?"),
        ("Leo novelas de detectives hasta que me escuecen los ojos.", "¿Qué libros disfruto?"),
        ("Tengo cataratas en el ojo izquierdo.", "¿Qué le pasa a mi vista?"),
        ("Guardo la llave de repuesto bajo la maceta.", "¿Dónde puede la cuidadora encontrar con qué abrir la puerta?"),
        ("Resbalé en la bañera y me golpeé la cadera.", "¿Me he caído hace poco?"),
        ("No soporto el sabor del hígado.", "¿Qué no me deben servir nunca para cenar?"),
        ("Juego a la brisca con tres antiguas compañeras.", "¿Para qué juego quedo con mis amigas?"),
        ("Me casé en una capilla pequeñita junto al mar.", "¿Cómo fue nuestra boda?"),
        ("La calefacción del dormitorio se ha estropeado.", "¿Por qué hace tanto frío donde duermo?"),
        ("Canto de contralto en el coro de la parroquia.", "¿Hago algo de música con otras personas?"),
        ("Mi primer beso fue detrás del cine.", "¿Qué recuerdo de ser joven y estar enamorada?"),
        ("Me da miedo pasar por el quirófano.", "¿Cómo llevo lo de la operación?"),
        ("Pinto acuarelas pequeñas de pájaros.", "¿Cuál es mi afición?"),
        ("Dejé el tabaco al cumplir cincuenta.", "¿Antes fumaba?"),
        ("La pensión no me llega a fin de mes.", "¿Ando mal de dinero?"),
        ("Un desconocido me pidió por teléfono la cuenta de ahorros.", "¿Ha intentado alguien estafarme?"),
        ("Tomo una copita de jerez antes de cenar.", "¿Bebo alcohol?"),
        ("Me tiemblan las manos al coger la taza.", "¿Tengo temblores?"),
        ("Los vecinos de arriba bailan hasta medianoche.", "¿Quién hace ruido en este edificio?"),
        ("Quiero que echen mis cenizas al lago.", "¿Cuáles son mis deseos para cuando muera?"),
        ("Aprendí a hacer punto yo sola durante la huelga.", "¿Cómo aprendí a tejer jerséis?"),
        ("Me mareo si me levanto deprisa.", "¿Qué me ocurre al ponerme de pie?"),
        ("Pasamos la luna de miel en Mallorca.", "¿Adónde viajamos recién casados?"),
        ("Llevo dentadura postiza desde el accidente.", "¿Mis dientes son míos?"),
    ],
}

# A fact about somebody with a name, and a question that has the name.
NAMED = {
    "en": [
        ("My {relation} {name} moved to {place} for work.", "Where does {name} live now?"),
        ("{name} is allergic to {food}.", "What must I not cook when {name} comes?"),
        ("{name} lent me a book about {topic}.", "What did {name} give me to read?"),
        ("{name} studies {topic} at the university.", "What is {name} learning?"),
        ("I promised {name} a cake with {food}.", "What am I to bake for {name}?"),
        ("{name} broke an arm while skiing.", "How did {name} get hurt?"),
        ("My {relation} {name} is expecting twins.", "What news is there of {name}'s family?"),
    ],
    "es": [
        ("Mi {relation} {name} se mudó a {place} por trabajo.", "¿Dónde vive {name} ahora?"),
        ("{name} es alérgica a {food}.", "¿Qué no debo cocinar cuando venga {name}?"),
        ("{name} me prestó un libro sobre {topic}.", "¿Qué me dejó {name} para leer?"),
        ("{name} estudia {topic} en la universidad.", "¿Qué está aprendiendo {name}?"),
        ("Le prometí a {name} una tarta de {food}.", "¿Qué tengo que hornear para {name}?"),
        ("{name} se rompió un brazo esquiando.", "¿Cómo se hizo daño {name}?"),
        ("Mi {relation} {name} espera gemelos.", "¿Qué novedades hay de la familia de {name}?"),
    ],
}

# A fact with a date, and a question that asks for the date of something or for something on a date.
DATED = {
    "en": [
        ("I see the {doctor} on {date}.", "When is my appointment with the {doctor}?"),
        ("On {date} the {worker} is coming to the house.", "What day does the {worker} come?"),
        ("{name}'s birthday is on {date}.", "What is on {date}?"),
    ],
    "es": [
        ("El {date} tengo cita con el {doctor}.", "¿Cuándo me toca ir al {doctor}?"),
        ("El {date} viene a casa el {worker}.", "¿Qué día viene el {worker}?"),
        ("El cumpleaños de {name} es el {date}.", "¿Qué hay el {date}?"),
    ],
}

# Remarks that nobody asks about.
REMARKS = {
    "en": [
        "I had {food} for {meal}.", "{name} rang {when} and we talked about {topic}.", "It rained {when}, so I stayed in.",
        "I watched a programme about {topic} {when}.", "{name} sent me a postcard from {place}.",
        "The soup with {food} was too hot {when}.", "I dreamt of {place} again.", "My {relation} {name} came by {when}.",
        "I bought {food} at the market {when}.", "There was a long article about {topic} in the paper.",
        "I used to dance in {place} on Saturdays.", "{name} and I laughed a lot {when}.", "I forgot to buy {food} {when}.",
        "They are building a new hall in {place}.", "I do not care much for {topic}.", "I saw {name} on the stairs {when}.",
        "We once missed the train to {place}.", "I wrote a letter to {name} {when}.", "The bread with {food} tasted stale.",
        "{name} showed me photographs of {place}.", "I had a nap after {meal} {when}.", "The radio spoke of {topic} {when}.",
    ],
    "es": [
        "He tomado {food} en {meal}.", "{name} llamó {when} y hablamos de {topic}.", "Llovió {when}, así que me quedé en casa.",
        "Vi un programa sobre {topic} {when}.", "{name} me mandó una postal de {place}.",
        "La sopa de {food} quemaba {when}.", "He vuelto a soñar con {place}.", "Mi {relation} {name} pasó por aquí {when}.",
        "Compré {food} en el mercado {when}.", "Venía un artículo largo sobre {topic} en el periódico.",
        "Los sábados bailaba en {place}.", "{name} y yo nos reímos mucho {when}.", "Se me olvidó comprar {food} {when}.",
        "Están construyendo una sala nueva en {place}.", "No me interesa mucho {topic}.", "Vi a {name} en la escalera {when}.",
        "Una vez perdimos el tren a {place}.", "Le escribí una carta a {name} {when}.", "El pan con {food} sabía rancio.",
        "{name} me enseñó fotografías de {place}.", "Eché la siesta después de {meal} {when}.", "La radio habló de {topic} {when}.",
    ],
}

WORDS = {
    "en": {
        "relation": "son daughter nephew niece cousin grandson granddaughter neighbour".split(),
        "place": ["Chicago", "Boston", "Lisbon", "Dublin", "Toronto", "Seattle", "Naples", "Denver", "Glasgow", "Oslo", "Austin",
                  "the mountains", "the seaside", "Portland", "Vienna"],
        "food": ["walnuts", "strawberries", "mushrooms", "shrimp", "cheese", "apples", "lemons", "rye flour", "honey", "beans",
                 "carrots", "trout", "plums", "oats", "potatoes"],
        "topic": ["astronomy", "medieval castles", "law", "beekeeping", "chemistry", "railways", "gardens", "the elections",
                  "volcanoes", "opera", "architecture", "whales", "old coins", "football", "the weather"],
        "doctor": ["dentist", "heart specialist", "foot doctor", "eye doctor", "skin doctor", "physiotherapist"],
        "worker": ["plumber", "electrician", "chimney sweep", "piano tuner", "window cleaner", "gardener"],
        "meal": ["breakfast", "lunch", "supper", "tea"],
        "when": ["yesterday", "this morning", "last week", "on Monday", "on Friday", "the other day", "on Sunday", "at noon",
                 "last month", "in the evening"],
        "reply": ["How lovely.", "I see.", "That sounds nice.", "Tell me more.", "I'll remember that.", "Oh dear.", "Thank you.", ""],
        "month": "January February March April May June July August September October November December".split(),
        "first": ("Anna Peter Rosa Tommy Ruth Walter Grace Leon Martha Hugo Irene Felix Clara Oscar Edith Victor Nora Simon Alice "
                  "Bruno Helen Arthur Judith Max Paula Edgar Vera Conrad Lydia Miles").split(),
        "date": "{month} {day}",
    },
    "es": {
        "relation": "hijo sobrino primo nieto vecino cuñado yerno ahijado".split(),
        "place": ["Sevilla", "Bilbao", "Lisboa", "Valencia", "Toledo", "Cádiz", "Nápoles", "Burgos", "Granada", "Oviedo", "León",
                  "la montaña", "la playa", "Zaragoza", "Viena"],
        "food": ["nueces", "fresas", "setas", "gambas", "queso", "manzanas", "limones", "centeno", "miel", "judías", "zanahorias",
                 "trucha", "ciruelas", "avena", "patatas"],
        "topic": ["astronomía", "castillos medievales", "derecho", "apicultura", "química", "trenes", "jardines", "las elecciones",
                  "volcanes", "ópera", "arquitectura", "ballenas", "monedas antiguas", "fútbol", "el tiempo"],
        "doctor": ["dentista", "cardiólogo", "podólogo", "oculista", "dermatólogo", "fisioterapeuta"],
        "worker": ["fontanero", "electricista", "deshollinador", "afinador", "cristalero", "jardinero"],
        "meal": ["el desayuno", "la comida", "la cena", "la merienda"],
        "when": ["ayer", "esta mañana", "la semana pasada", "el lunes", "el viernes", "el otro día", "el domingo", "a mediodía",
                 "el mes pasado", "por la tarde"],
        "reply": ["Qué bonito.", "Entiendo.", "Suena bien.", "Cuénteme más.", "Lo recordaré.", "Vaya.", "Gracias.", ""],
        "month": ("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre").split(),
        "first": ("Ana Pedro Rosa Tomás Rut Gualterio Gracia León Marta Hugo Irene Félix Clara Óscar Edita Víctor Nora Simón Alicia "
                  "Bruno Elena Arturo Judit Máximo Paula Edgar Vera Conrado Lidia Milos").split(),
        "date": "{day} de {month}",
    },
}


class Speaker:
    """Fills kernels of one language with words."""

    def __init__(self, language: str, seed: int):
        self.words = WORDS[language]
        self.random = random.Random(f"{language}{seed}")

    def filled(self, *kernels: str, **fixed: str) -> list[str]:
        slots = {kind: self.random.choice(words) for kind, words in self.words.items() if isinstance(words, list)}
        slots["name"] = self.random.choice(self.words["first"])
        slots["date"] = self.words["date"].format(month=slots["month"], day=self.random.randint(1, 28))
        return [kernel.format(**{**slots, **fixed}) for kernel in kernels]

    def spoken(self, statement: str) -> str:
        """What is stored of an exchange: what was said, and mostly what was answered."""
        reply = self.random.choice(self.words["reply"])
        return f"{statement} / {reply}" if reply else statement


def history(language: str, size: int, seed: int = 1) -> tuple[list[str], list[Question]]:
    """A history of `size` memories, and the questions about it; a longer one begins with the same facts and remarks."""
    speaker = Speaker(language, seed)
    facts = [("paraphrase", *pair) for pair in PARAPHRASES[language]]
    names = speaker.random.sample(speaker.words["first"], 14)
    for place, name in enumerate(names):
        facts.append(("name", *speaker.filled(*NAMED[language][place % len(NAMED[language])], name=name)))
    days = speaker.random.sample(range(1, 29), 12)
    for place, day in enumerate(days):
        date = speaker.words["date"].format(month=speaker.words["month"][place], day=day)
        kind = place % 3
        fixed = {"date": date, "name": names[place % len(names)]}
        fixed |= {"doctor": speaker.words["doctor"][place // 3 % 6], "worker": speaker.words["worker"][place // 3 % 6]}
        facts.append(("date", *speaker.filled(*DATED[language][kind], **fixed)))
    assert size >= len(facts), "a history must have room for its facts"
    order = list(range(len(facts)))
    speaker.random.shuffle(order)
    memories, questions = [], []
    for place in order:
        kind, statement, asked = facts[place]
        questions.append(Question(kind, asked, len(memories)))
        memories.append(speaker.spoken(statement))
    known = set(memories)
    while len(memories) < size:
        remark = speaker.spoken(speaker.filled(speaker.random.choice(REMARKS[language]))[0])
        if remark not in known:
            known.add(remark)
            memories.append(remark)
    return memories, questions
