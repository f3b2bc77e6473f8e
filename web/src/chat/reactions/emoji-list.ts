/**
 * All emoji of the picker: a line for each with its Unicode name and further words for the search, below the lines with the names of
 * their groups. Docs: decision 0019.
 */
export const emojiList = `
# Smileys
😀 grinning face|cheerful cheery grin happy laugh
😃 grinning face with big eyes|awesome grin happy mouth open
😄 grinning face with smiling eyes|eye grin happy laugh lol
😁 beaming face with smiling eyes|eye grin grinning happy nice
😆 grinning squinting face|closed eyes haha hahaha happy
😅 grinning face with sweat|cold dejected excited mouth nervous
🤣 rolling on the floor laughing|crying face funny haha happy
😂 face with tears of joy|crying feels funny haha happy
🙂 slightly smiling face|happy smile
🙃 upside-down face|hehe smile upside-down
🫠 melting face|disappear dissolve embarrassed haha heat
😉 winking face|flirt heartbreaker sexy slide tease
😊 smiling face with smiling eyes|blush eye glad satisfied smile
😇 smiling face with halo|angel angelic angels blessed fairy
🥰 smiling face with hearts|3 adore crush heart ily
😍 smiling face with heart-eyes|143 bae eye feels heart-eyes
🤩 star-struck|excited eyes face grinning smile
😘 face blowing a kiss|adorbs bae flirt heart ily
😗 kissing face|143 date dating flirt ily
☺️ smiling face|happy outlined relaxed smile
😚 kissing face with closed eyes|143 bae blush date dating
😙 kissing face with smiling eyes|143 closed date dating eye
🥲 smiling face with tear|glad grateful happy joy pain
😋 face savoring food|delicious eat full hungry savor
😛 face with tongue|awesome cool nice party stuck-out
😜 winking face with tongue|crazy epic eye funny joke
🤪 zany face|crazy eye eyes goofy large
😝 squinting face with tongue|closed eye eyes gross horrible
🤑 money-mouth face|money-mouth paid
🤗 smiling face with open hands|hug hugging
🤭 face with hand over mouth|giggle giggling oops realization secret
🫢 face with open eyes and hand over mouth|amazement awe disbelief embarrass gasp
🫣 face with peeking eye|captivated embarrass hide hiding peek
🤫 shushing face|quiet shh shush
🤔 thinking face|chin consider hmm ponder pondering
🫡 saluting face|good luck ok respect salute
🤐 zipper-mouth face|keep quiet secret shut zip
🤨 face with raised eyebrow|disapproval disbelief distrust emoji hmm
😐 neutral face|awkward blank deadpan expressionless fine
😑 expressionless face|awkward dead fine inexpressive jealous
😶 face without mouth|awkward blank expressionless mouthless mute
🫥 dotted line face|depressed disappear hidden hide introvert
😶‍🌫️ face in clouds|absentminded fog head
😏 smirking face|boss dapper flirt homie kidding
😒 unamused face|bored fine jealous jel jelly
🙄 face with rolling eyes|eyeroll shade ugh whatever
😬 grimacing face|awk awkward dentist grimace grinning
😮‍💨 face exhaling|blow blowing exhale exhausted gasp
🤥 lying face|liar lie pinocchio
🫨 shaking face|crazy daze earthquake omg panic
🙂‍↔️ head shaking horizontally|no shake
🙂‍↕️ head shaking vertically|nod yes
😌 relieved face|calm peace relief zen
😔 pensive face|awful bored dejected died disappointed
😪 sleepy face|crying good night sad sleep
🤤 drooling face
😴 sleeping face|bed bedtime good goodnight nap
😷 face with medical mask|cold dentist dermatologist doctor dr
🤒 face with thermometer|ill sick
🤕 face with head-bandage|head-bandage hurt injury ouch
🤢 nauseated face|gross nasty sick vomit
🤮 face vomiting|barf ew gross puke sick
🤧 sneezing face|fever flu gesundheit sick sneeze
🥵 hot face|dying feverish heat panting red-faced
🥶 cold face|blue blue-faced freezing frostbite icicles
🥴 woozy face|dizzy drunk eyes intoxicated mouth
😵 face with crossed-out eyes|crossed-out dead dizzy feels knocked
😵‍💫 face with spiral eyes|confused dizzy hypnotized omg smiley
🤯 exploding head|blown explode mind mindblown no
🤠 cowboy hat face|cowgirl
🥳 partying face|bday birthday celebrate celebration excited
🥸 disguised face|disguise eyebrow glasses incognito moustache
😎 smiling face with sunglasses|awesome beach bright bro chilling
🤓 nerd face|brainy clever expert geek gifted
🧐 face with monocle|classy fancy rich stuffy wealthy
😕 confused face|befuddled confusing dunno frown hm
🫤 face with diagonal mouth|confused confusion disappointed doubt doubtful
😟 worried face|anxious butterflies nerves nervous sad
🙁 slightly frowning face|frown sad
☹️ frowning face|frown sad
😮 face with open mouth|believe forgot omg shocked surprised
😯 hushed face|epic omg stunned surprised whoa
😲 astonished face|cost no omg shocked totally
😳 flushed face|amazed awkward crazy dazed dead
🥺 pleading face|begging big eyes mercy not
🥹 face holding back tears|admiration aww cry embarrassed feelings
😦 frowning face with open mouth|caught frown guard scared scary
😧 anguished face|forgot scared scary stressed surprise
😨 fearful face|afraid anxious blame fear scared
😰 anxious face with sweat|blue cold eek mouth nervous
😥 sad but relieved face|anxious call close complicated disappointed
😢 crying face|awful cry feels miss sad
😭 loudly crying face|bawling cry sad sob tear
😱 face screaming in fear|epic fearful munch scared scream
😖 confounded face|annoyed confused cringe distraught feels
😣 persevering face|concentrate concentration focus headache persevere
😞 disappointed face|awful blame dejected fail losing
😓 downcast face with sweat|close cold feels headache nervous
😩 weary face|crying fail feels hungry mad
😫 tired face|cost feels nap sad sneeze
🥱 yawning face|bedtime bored goodnight nap night
😤 face with steam from nose|anger angry feels fume fuming
😡 enraged face|anger angry feels mad maddening
😠 angry face|anger blame feels frustrated mad
🤬 face with symbols on mouth|censor cursing cussing mad pissed
😈 smiling face with horns|demon devil evil fairy fairytale
👿 angry face with horns|demon devil evil fairy fairytale
💀 skull|body dead death face fairy
☠️ skull and crossbones|bone dead death face monster
💩 pile of poo|bs comic doo dung face
🤡 clown face
👹 ogre|creature devil face fairy fairytale
👺 goblin|angry creature face fairy fairytale
👻 ghost|boo creature excited face fairy
👽 alien|creature extraterrestrial face fairy fairytale
👾 alien monster|creature extraterrestrial face fairy fairytale
🤖 robot|face monster
😺 grinning cat|animal face mouth open smile
😸 grinning cat with smiling eyes|animal eye face grin smile
😹 cat with tears of joy|animal face laugh laughing lol
😻 smiling cat with heart-eyes|animal eye face heart-eyes love
😼 cat with wry smile|animal face ironic
😽 kissing cat|animal closed eye eyes face
🙀 weary cat|animal face oh surprised
😿 crying cat|animal cry face sad tear
😾 pouting cat|animal face
🙈 see-no-evil monkey|embarrassed face forbidden forgot gesture
🙉 hear-no-evil monkey|animal ears face forbidden gesture
🙊 speak-no-evil monkey|animal face forbidden gesture not
💌 love letter|heart mail romance valentine
💘 heart with arrow|143 adorbs cupid date emotion
💝 heart with ribbon|143 anniversary emotion ily kisses
💖 sparkling heart|143 emotion excited good ily
💗 growing heart|143 emotion excited heartpulse ily
💓 beating heart|143 cardio emotion heartbeat ily
💞 revolving hearts|143 adorbs anniversary emotion heart
💕 two hearts|143 anniversary date dating emotion
💟 heart decoration|143 emotion hearth purple white
❣️ heart exclamation|heavy mark punctuation
💔 broken heart|break crushed emotion heartbroken lonely
❤️‍🔥 heart on fire|burn love lust sacred
❤️‍🩹 mending heart|healthier improving recovering recuperating well
❤️ red heart|emotion love
🩷 pink heart|143 adorable cute emotion ily
🧡 orange heart|143
💛 yellow heart|143 cardiac emotion ily love
💚 green heart|143 emotion ily love romantic
💙 blue heart|143 emotion ily love romance
🩵 light blue heart|143 cute cyan emotion ily
💜 purple heart|143 bestest emotion ily love
🤎 brown heart|143
🖤 black heart|evil wicked
🩶 grey heart|143 emotion gray ily love
🤍 white heart|143
💋 kiss mark|dating emotion heart kissing lips
💯 hundred points|100 agree clearly definitely faithful
💢 anger symbol|angry comic mad upset
💥 collision|bomb boom collide comic explode
💫 dizzy|comic shining shooting star stars
💦 sweat droplets|comic drip droplet drops splashing
💨 dashing away|cloud comic dash fart fast
🕳️ hole
💬 speech balloon|bubble comic dialog message sms
👁️‍🗨️ eye in speech bubble|balloon witness
🗨️ left speech bubble|balloon dialog
🗯️ right anger bubble|angry balloon mad
💭 thought balloon|bubble cartoon cloud comic daydream
💤 ZZZ|comic good goodnight night sleep
# People
👋 waving hand|bye cya g2g greetings gtg
🤚 raised back of hand|backhand
🖐️ hand with fingers splayed|finger raised stop
✋ raised hand|5 five high stop
🖖 vulcan salute|finger hand hands
🫱 rightwards hand|handshake hold reach right rightward
🫲 leftwards hand|handshake hold left leftward reach
🫳 palm down hand|dismiss drop dropped pick shoo
🫴 palm up hand|beckon catch come hold know
🫷 leftwards pushing hand|block five halt high hold
🫸 rightwards pushing hand|block five halt high hold
👌 OK hand|awesome bet dope fleek fosho
🤌 pinched fingers|gesture hand hold huh interrogation
🤏 pinching hand|amount bit fingers little small
✌️ victory hand|peace v
🤞 crossed fingers|cross finger hand luck
🫰 hand with index finger and thumb crossed|expensive heart love money snap
🤟 love-you gesture|fingers hand ily love-you three
🤘 sign of the horns|finger hand rock-on
🤙 call me hand|hang loose shaka
👈 backhand index pointing left|finger hand point
👉 backhand index pointing right|finger hand point
👆 backhand index pointing up|finger hand point
🖕 middle finger|hand
👇 backhand index pointing down|finger hand point
☝️ index pointing up|finger hand point this
🫵 index pointing at the viewer|finger hand poke you
👍 thumbs up|good hand like thumb yes
👎 thumbs down|-1 bad dislike good hand
✊ raised fist|clenched hand punch solidarity
👊 oncoming fist|absolutely agree boom bro bruh
🤛 left-facing fist|left-facing leftwards
🤜 right-facing fist|right-facing rightwards
👏 clapping hands|applause approval awesome clap congrats
🙌 raising hands|celebration gesture hand hooray praise
🫶 heart hands|love you
👐 open hands|hand hug jazz swerve
🤲 palms up together|cupped dua hands pray prayer
🤝 handshake|agreement deal hand meeting shake
🙏 folded hands|appreciate ask beg blessed bow
✍️ writing hand|write
💅 nail polish|bored care cosmetics done makeup
🤳 selfie|camera phone
💪 flexed biceps|arm beast bench bodybuilder bro
🦾 mechanical arm|accessibility prosthetic
🦿 mechanical leg|accessibility prosthetic
🦵 leg|bent foot kick knee limb
🦶 foot|ankle feet kick stomp
👂 ear|body ears hear hearing listen
🦻 ear with hearing aid|accessibility hard
👃 nose|body noses nosey odor smell
🧠 brain|intelligent smart
🫀 anatomical heart|beat cardiology heartbeat organ pulse
🫁 lungs|breath breathe exhalation inhalation lung
🦷 tooth|dentist pearly teeth white
🦴 bone|bones dog skeleton wishbone
👀 eyes|body eye face googly look
👁️ eye|1 body one
👅 tongue|body lick slurp
👄 mouth|beauty body kiss kissing lips
🫦 biting lip|anxious bite fear flirt flirting
👶 baby|babies children goo infant newborn
🧒 child|bright-eyed grandchild kid young younger
👦 boy|bright-eyed child grandson kid son
👧 girl|bright-eyed child daughter granddaughter kid
🧑 person|adult
👱 person: blond hair|blond-haired human
👨 man|adult bro
🧔 person: beard|bearded whiskers
🧔‍♂️ man: beard|bearded whiskers
🧔‍♀️ woman: beard|bearded whiskers
👨‍🦰 man: red hair|adult bro red hair
👨‍🦱 man: curly hair|adult bro curly hair
👨‍🦳 man: white hair|adult bro white hair
👨‍🦲 man: bald|adult bro
👩 woman|adult lady
👩‍🦰 woman: red hair|adult lady red hair
🧑‍🦰 person: red hair|adult red hair
👩‍🦱 woman: curly hair|adult curly hair lady
🧑‍🦱 person: curly hair|adult curly hair
👩‍🦳 woman: white hair|adult lady white hair
🧑‍🦳 person: white hair|adult white hair
👩‍🦲 woman: bald|adult lady
🧑‍🦲 person: bald|adult
👱‍♀️ woman: blond hair|blond-haired blonde
👱‍♂️ man: blond hair|blond-haired
🧓 older person|adult elderly grandparent old wise
👴 old man|adult bald elderly gramps grandfather
👵 old woman|adult elderly grandma grandmother granny
🙍 person frowning|annoyed disappointed disgruntled disturbed frown
🙍‍♂️ man frowning|annoyed disappointed disgruntled disturbed frown
🙍‍♀️ woman frowning|annoyed disappointed disgruntled disturbed frown
🙎 person pouting|disappointed downtrodden frown grimace scowl
🙎‍♂️ man pouting|disappointed downtrodden frown grimace scowl
🙎‍♀️ woman pouting|disappointed downtrodden frown grimace scowl
🙅 person gesturing NO|forbidden gesture hand not prohibit
🙅‍♂️ man gesturing NO|forbidden gesture hand not prohibit
🙅‍♀️ woman gesturing NO|forbidden gesture hand not prohibit
🙆 person gesturing OK|exercise gesture hand omg
🙆‍♂️ man gesturing OK|exercise gesture hand omg
🙆‍♀️ woman gesturing OK|exercise gesture hand omg
💁 person tipping hand|fetch flick flip gossip sarcasm
💁‍♂️ man tipping hand|fetch flick flip gossip sarcasm
💁‍♀️ woman tipping hand|fetch flick flip gossip sarcasm
🙋 person raising hand|gesture here know me pick
🙋‍♂️ man raising hand|gesture here know me pick
🙋‍♀️ woman raising hand|gesture here know me pick
🧏 deaf person|accessibility ear gesture hear
🧏‍♂️ deaf man|accessibility ear gesture hear
🧏‍♀️ deaf woman|accessibility ear gesture hear
🙇 person bowing|apology ask beg bow favor
🙇‍♂️ man bowing|apology ask beg bow favor
🙇‍♀️ woman bowing|apology ask beg bow favor
🤦 person facepalming|again bewilder disbelief exasperation facepalm
🤦‍♂️ man facepalming|again bewilder disbelief exasperation facepalm
🤦‍♀️ woman facepalming|again bewilder disbelief exasperation facepalm
🤷 person shrugging|doubt dunno guess idk ignorance
🤷‍♂️ man shrugging|doubt dunno guess idk ignorance
🤷‍♀️ woman shrugging|doubt dunno guess idk ignorance
🧑‍⚕️ health worker|doctor healthcare nurse therapist
👨‍⚕️ man health worker|doctor healthcare nurse therapist
👩‍⚕️ woman health worker|doctor healthcare nurse therapist
🧑‍🎓 student|graduate
👨‍🎓 man student|graduate
👩‍🎓 woman student|graduate
🧑‍🏫 teacher|instructor lecturer professor
👨‍🏫 man teacher|instructor lecturer professor
👩‍🏫 woman teacher|instructor lecturer professor
🧑‍⚖️ judge|justice law scales
👨‍⚖️ man judge|justice law scales
👩‍⚖️ woman judge|justice law scales
🧑‍🌾 farmer|gardener rancher
👨‍🌾 man farmer|gardener rancher
👩‍🌾 woman farmer|gardener rancher
🧑‍🍳 cook|chef
👨‍🍳 man cook|chef
👩‍🍳 woman cook|chef
🧑‍🔧 mechanic|electrician plumber tradesperson
👨‍🔧 man mechanic|electrician plumber tradesperson
👩‍🔧 woman mechanic|electrician plumber tradesperson
🧑‍🏭 factory worker|assembly industrial
👨‍🏭 man factory worker|assembly industrial
👩‍🏭 woman factory worker|assembly industrial
🧑‍💼 office worker|architect business manager white-collar
👨‍💼 man office worker|architect business manager white-collar
👩‍💼 woman office worker|architect business manager white-collar
🧑‍🔬 scientist|biologist chemist engineer mathematician physicist
👨‍🔬 man scientist|biologist chemist engineer mathematician physicist
👩‍🔬 woman scientist|biologist chemist engineer mathematician physicist
🧑‍💻 technologist|coder computer developer inventor software
👨‍💻 man technologist|coder computer developer inventor software
👩‍💻 woman technologist|coder computer developer inventor software
🧑‍🎤 singer|actor entertainer rock rockstar star
👨‍🎤 man singer|actor entertainer rock rockstar star
👩‍🎤 woman singer|actor entertainer rock rockstar star
🧑‍🎨 artist|palette
👨‍🎨 man artist|palette
👩‍🎨 woman artist|palette
🧑‍✈️ pilot|plane
👨‍✈️ man pilot|plane
👩‍✈️ woman pilot|plane
🧑‍🚀 astronaut|rocket space
👨‍🚀 man astronaut|rocket space
👩‍🚀 woman astronaut|rocket space
🧑‍🚒 firefighter|fire firetruck
👨‍🚒 man firefighter|fire firetruck
👩‍🚒 woman firefighter|fire firetruck
👮 police officer|apprehend arrest citation cop law
👮‍♂️ man police officer|apprehend arrest citation cop law
👮‍♀️ woman police officer|apprehend arrest citation cop law
🕵️ detective|sleuth spy
🕵️‍♂️ man detective|sleuth spy
🕵️‍♀️ woman detective|sleuth spy
💂 guard|buckingham helmet london palace
💂‍♂️ man guard|buckingham helmet london palace
💂‍♀️ woman guard|buckingham helmet london palace
🥷 ninja|assassin fight fighter hidden person
👷 construction worker|build fix hardhat hat man
👷‍♂️ man construction worker|build fix hardhat hat rebuild
👷‍♀️ woman construction worker|build fix hardhat hat man
🫅 person with crown|monarch noble regal royal royalty
🤴 prince|crown fairy fairytale fantasy king
👸 princess|crown fairy fairytale fantasy queen
👳 person wearing turban
👳‍♂️ man wearing turban
👳‍♀️ woman wearing turban
👲 person with skullcap|cap chinese gua guapi hat
🧕 woman with headscarf|bandana head hijab kerchief mantilla
🤵 person in tuxedo|formal wedding
🤵‍♂️ man in tuxedo|formal groom wedding
🤵‍♀️ woman in tuxedo|formal wedding
👰 person with veil|wedding
👰‍♂️ man with veil|wedding
👰‍♀️ woman with veil|bride wedding
🤰 pregnant woman
🫃 pregnant man|belly bloated full overeat
🫄 pregnant person|belly bloated full overeat stuffed
🤱 breast-feeding|baby mom mother nursing woman
👩‍🍼 woman feeding baby|feed mom mother nanny newborn
👨‍🍼 man feeding baby|dad father feed nanny newborn
🧑‍🍼 person feeding baby|feed nanny newborn nursing parent
👼 baby angel|church face fairy fairytale fantasy
🎅 Santa Claus|celebration christmas fairy fantasy father
🤶 Mrs. Claus|celebration christmas fairy fantasy holiday
🧑‍🎄 Mx Claus|celebration christmas fairy fantasy holiday
🦸 superhero|good hero superpower
🦸‍♂️ man superhero|good hero superpower
🦸‍♀️ woman superhero|good hero heroine superpower
🦹 supervillain|bad criminal evil superpower villain
🦹‍♂️ man supervillain|bad criminal evil superpower villain
🦹‍♀️ woman supervillain|bad criminal evil superpower villain
🧙 mage|fantasy magic play sorcerer sorceress
🧙‍♂️ man mage|fantasy magic play sorcerer sorceress
🧙‍♀️ woman mage|fantasy magic play sorcerer sorceress
🧚 fairy|fairytale fantasy myth person pixie
🧚‍♂️ man fairy|fairytale fantasy myth oberon person
🧚‍♀️ woman fairy|fairytale fantasy myth person pixie
🧛 vampire|blood dracula fangs halloween scary
🧛‍♂️ man vampire|blood fangs halloween scary supernatural
🧛‍♀️ woman vampire|blood fangs halloween scary supernatural
🧜 merperson|creature fairytale folklore ocean sea
🧜‍♂️ merman|creature fairytale folklore neptune ocean
🧜‍♀️ mermaid|creature fairytale folklore merwoman ocean
🧝 elf|elves enchantment fantasy folklore magic
🧝‍♂️ man elf|elves enchantment fantasy folklore magic
🧝‍♀️ woman elf|elves enchantment fantasy folklore magic
🧞 genie|djinn fantasy jinn lamp myth
🧞‍♂️ man genie|djinn fantasy jinn lamp myth
🧞‍♀️ woman genie|djinn fantasy jinn lamp myth
🧟 zombie|apocalypse dead halloween horror scary
🧟‍♂️ man zombie|apocalypse dead halloween horror scary
🧟‍♀️ woman zombie|apocalypse dead halloween horror scary
🧌 troll|fairy fantasy monster tale trolling
💆 person getting massage|face headache relax relaxing salon
💆‍♂️ man getting massage|face headache relax relaxing salon
💆‍♀️ woman getting massage|face headache relax relaxing salon
💇 person getting haircut|barber beauty chop cosmetology cut
💇‍♂️ man getting haircut|barber beauty chop cosmetology cut
💇‍♀️ woman getting haircut|barber beauty chop cosmetology cut
🚶 person walking|amble gait hike man pace
🚶‍♂️ man walking|amble gait hike pace pedestrian
🚶‍♀️ woman walking|amble gait hike man pace
🚶‍➡️ person walking: facing right|amble gait hike man pace
🚶‍♀️‍➡️ woman walking: facing right|amble gait hike man pace
🚶‍♂️‍➡️ man walking: facing right|amble gait hike pace pedestrian
🧍 person standing|stand
🧍‍♂️ man standing|stand
🧍‍♀️ woman standing|stand
🧎 person kneeling|kneel knees
🧎‍♂️ man kneeling|kneel knees
🧎‍♀️ woman kneeling|kneel knees
🧎‍➡️ person kneeling: facing right|kneel knees
🧎‍♀️‍➡️ woman kneeling: facing right|kneel knees
🧎‍♂️‍➡️ man kneeling: facing right|kneel knees
🧑‍🦯 person with white cane|accessibility blind probing
🧑‍🦯‍➡️ person with white cane: facing right|accessibility blind probing
👨‍🦯 man with white cane|accessibility blind probing
👨‍🦯‍➡️ man with white cane: facing right|accessibility blind probing
👩‍🦯 woman with white cane|accessibility blind probing
👩‍🦯‍➡️ woman with white cane: facing right|accessibility blind probing
🧑‍🦼 person in motorized wheelchair|accessibility
🧑‍🦼‍➡️ person in motorized wheelchair: facing right|accessibility
👨‍🦼 man in motorized wheelchair|accessibility
👨‍🦼‍➡️ man in motorized wheelchair: facing right|accessibility
👩‍🦼 woman in motorized wheelchair|accessibility
👩‍🦼‍➡️ woman in motorized wheelchair: facing right|accessibility
🧑‍🦽 person in manual wheelchair|accessibility
🧑‍🦽‍➡️ person in manual wheelchair: facing right|accessibility
👨‍🦽 man in manual wheelchair|accessibility
👨‍🦽‍➡️ man in manual wheelchair: facing right|accessibility
👩‍🦽 woman in manual wheelchair|accessibility
👩‍🦽‍➡️ woman in manual wheelchair: facing right|accessibility
🏃 person running|fast hurry marathon move quick
🏃‍♂️ man running|fast hurry marathon move quick
🏃‍♀️ woman running|fast hurry marathon move quick
🏃‍➡️ person running: facing right|fast hurry marathon move quick
🏃‍♀️‍➡️ woman running: facing right|fast hurry marathon move quick
🏃‍♂️‍➡️ man running: facing right|fast hurry marathon move quick
💃 woman dancing|dance dancer elegant festive flair
🕺 man dancing|dance dancer elegant festive flair
🕴️ person in suit levitating|business
👯 people with bunny ears|bestie bff counterpart dancer double
👯‍♂️ men with bunny ears|bestie bff counterpart dancer double
👯‍♀️ women with bunny ears|bestie bff counterpart dancer double
🧖 person in steamy room|day luxurious pamper relax sauna
🧖‍♂️ man in steamy room|day luxurious pamper relax sauna
🧖‍♀️ woman in steamy room|day luxurious pamper relax sauna
🧗 person climbing|climb climber mountain rock scale
🧗‍♂️ man climbing|climb climber mountain rock scale
🧗‍♀️ woman climbing|climb climber mountain rock scale
🤺 person fencing|fencer sword
🏇 horse racing|jockey racehorse riding sport
⛷️ skier|ski snow
🏂 snowboarder|ski snow snowboard sport
🏌️ person golfing|ball birdie caddy driving golf
🏌️‍♂️ man golfing|ball birdie caddy driving golf
🏌️‍♀️ woman golfing|ball birdie caddy driving golf
🏄 person surfing|beach ocean sport surf surfer
🏄‍♂️ man surfing|beach ocean sport surf surfer
🏄‍♀️ woman surfing|beach ocean person sport surf
🚣 person rowing boat|canoe cruise fishing lake oar
🚣‍♂️ man rowing boat|canoe cruise fishing lake oar
🚣‍♀️ woman rowing boat|canoe cruise fishing lake oar
🏊 person swimming|freestyle sport swim swimmer triathlon
🏊‍♂️ man swimming|freestyle sport swim swimmer triathlon
🏊‍♀️ woman swimming|freestyle man sport swim swimmer
⛹️ person bouncing ball|athletic basketball championship dribble net
⛹️‍♂️ man bouncing ball|athletic basketball championship dribble net
⛹️‍♀️ woman bouncing ball|athletic basketball championship dribble net
🏋️ person lifting weights|barbell bodybuilder deadlift lifter powerlifting
🏋️‍♂️ man lifting weights|barbell bodybuilder deadlift lifter powerlifting
🏋️‍♀️ woman lifting weights|barbell bodybuilder deadlift lifter powerlifting
🚴 person biking|bicycle bicyclist bike cycle cyclist
🚴‍♂️ man biking|bicycle bicyclist bike cycle cyclist
🚴‍♀️ woman biking|bicycle bicyclist bike cycle cyclist
🚵 person mountain biking|bicycle bicyclist bike cycle cyclist
🚵‍♂️ man mountain biking|bicycle bicyclist bike cycle cyclist
🚵‍♀️ woman mountain biking|bicycle bicyclist bike cycle cyclist
🤸 person cartwheeling|active cartwheel excited flip gymnastics
🤸‍♂️ man cartwheeling|active cartwheel excited flip gymnastics
🤸‍♀️ woman cartwheeling|active cartwheel excited flip gymnastics
🤼 people wrestling|combat duel grapple ring tournament
🤼‍♂️ men wrestling|combat duel grapple ring tournament
🤼‍♀️ women wrestling|combat duel grapple ring tournament
🤽 person playing water polo|sport swimming waterpolo
🤽‍♂️ man playing water polo|sport swimming waterpolo
🤽‍♀️ woman playing water polo|sport swimming waterpolo
🤾 person playing handball|athletics ball catch chuck hurl
🤾‍♂️ man playing handball|athletics ball catch chuck hurl
🤾‍♀️ woman playing handball|athletics ball catch chuck hurl
🤹 person juggling|act balance balancing handle juggle
🤹‍♂️ man juggling|act balance balancing handle juggle
🤹‍♀️ woman juggling|act balance balancing handle juggle
🧘 person in lotus position|cross legged legs meditation peace
🧘‍♂️ man in lotus position|cross legged legs meditation peace
🧘‍♀️ woman in lotus position|cross legged legs meditation peace
🛀 person taking bath|bathtub tub
🛌 person in bed|bedtime good goodnight hotel nap
🧑‍🤝‍🧑 people holding hands|bae bestie bff couple dating
👭 women holding hands|bae bestie bff couple dating
👫 woman and man holding hands|bae bestie bff couple dating
👬 men holding hands|bae bestie bff boys brothers
💏 kiss|anniversary babe bae couple date
👩‍❤️‍💋‍👨 kiss: woman, man|anniversary babe bae couple date
👨‍❤️‍💋‍👨 kiss: man, man|anniversary babe bae couple date
👩‍❤️‍💋‍👩 kiss: woman, woman|anniversary babe bae couple date
💑 couple with heart|anniversary babe bae dating kiss
👩‍❤️‍👨 couple with heart: woman, man|anniversary babe bae dating kiss
👨‍❤️‍👨 couple with heart: man, man|anniversary babe bae dating kiss
👩‍❤️‍👩 couple with heart: woman, woman|anniversary babe bae dating kiss
👨‍👩‍👦 family: man, woman, boy|child
👨‍👩‍👧 family: man, woman, girl|child
👨‍👩‍👧‍👦 family: man, woman, girl, boy|child
👨‍👩‍👦‍👦 family: man, woman, boy, boy|child
👨‍👩‍👧‍👧 family: man, woman, girl, girl|child
👨‍👨‍👦 family: man, man, boy|child
👨‍👨‍👧 family: man, man, girl|child
👨‍👨‍👧‍👦 family: man, man, girl, boy|child
👨‍👨‍👦‍👦 family: man, man, boy, boy|child
👨‍👨‍👧‍👧 family: man, man, girl, girl|child
👩‍👩‍👦 family: woman, woman, boy|child
👩‍👩‍👧 family: woman, woman, girl|child
👩‍👩‍👧‍👦 family: woman, woman, girl, boy|child
👩‍👩‍👦‍👦 family: woman, woman, boy, boy|child
👩‍👩‍👧‍👧 family: woman, woman, girl, girl|child
👨‍👦 family: man, boy|child
👨‍👦‍👦 family: man, boy, boy|child
👨‍👧 family: man, girl|child
👨‍👧‍👦 family: man, girl, boy|child
👨‍👧‍👧 family: man, girl, girl|child
👩‍👦 family: woman, boy|child
👩‍👦‍👦 family: woman, boy, boy|child
👩‍👧 family: woman, girl|child
👩‍👧‍👦 family: woman, girl, boy|child
👩‍👧‍👧 family: woman, girl, girl|child
🗣️ speaking head|face silhouette speak
👤 bust in silhouette|mysterious shadow
👥 busts in silhouette|bff bust everyone friend friends
🫂 people hugging|comfort embrace farewell friendship goodbye
👪 family|child
🧑‍🧑‍🧒 family: adult, adult, child
🧑‍🧑‍🧒‍🧒 family: adult, adult, child, child
🧑‍🧒 family: adult, child
🧑‍🧒‍🧒 family: adult, child, child
👣 footprints|barefoot clothing footprint omw print
# Animals and nature
🐵 monkey face|animal banana
🐒 monkey|animal banana
🦍 gorilla|animal
🦧 orangutan|animal ape monkey
🐶 dog face|adorbs animal pet puppies puppy
🐕 dog|animal animals dogs pet
🦮 guide dog|accessibility animal blind
🐕‍🦺 service dog|accessibility animal assistance
🐩 poodle|animal dog fluffy
🐺 wolf|animal face
🦊 fox|animal face
🦝 raccoon|animal curious sly
🐱 cat face|animal kitten kitty pet
🐈 cat|animal animals cats kitten pet
🐈‍⬛ black cat|animal feline halloween meow unlucky
🦁 lion|alpha animal face leo mane
🐯 tiger face|animal big cat predator
🐅 tiger|animal big cat predator zoo
🐆 leopard|animal big cat predator zoo
🐴 horse face|animal dressage equine farm horses
🫎 moose|alces animal antlers elk mammal
🫏 donkey|animal ass burro hinny mammal
🐎 horse|animal equestrian farm racehorse racing
🦄 unicorn|face
🦓 zebra|animal stripe
🦌 deer|animal
🦬 bison|animal buffalo herd wisent
🐮 cow face|animal farm milk moo
🐂 ox|animal animals bull farm taurus
🐃 water buffalo|animal zoo
🐄 cow|animal animals farm milk moo
🐷 pig face|animal bacon farm pork
🐖 pig|animal bacon farm pork sow
🐗 boar|animal pig
🐽 pig nose|animal face farm smell snout
🐏 ram|animal aries horns male sheep
🐑 ewe|animal baa farm female fluffy
🐐 goat|animal capricorn farm milk zodiac
🐪 camel|animal desert dromedary hump one
🐫 two-hump camel|animal bactrian desert two-hump
🦙 llama|alpaca animal guanaco wool
🦒 giraffe|animal spots
🐘 elephant|animal
🦣 mammoth|animal extinction large tusk wooly
🦏 rhinoceros|animal
🦛 hippopotamus|animal hippo
🐭 mouse face|animal
🐁 mouse|animal animals
🐀 rat|animal
🐹 hamster|animal face pet
🐰 rabbit face|animal bunny pet
🐇 rabbit|animal bunny pet
🐿️ chipmunk|animal squirrel
🦫 beaver|animal dam teeth
🦔 hedgehog|animal spiny
🦇 bat|animal vampire
🐻 bear|animal face grizzly growl honey
🐻‍❄️ polar bear|animal arctic white
🐨 koala|animal australia bear down face
🐼 panda|animal bamboo face
🦥 sloth|lazy slow
🦦 otter|animal fishing playful
🦨 skunk|animal stink
🦘 kangaroo|animal joey jump marsupial
🦡 badger|animal honey pester
🐾 paw prints|feet paws print
🦃 turkey|bird gobble thanksgiving
🐔 chicken|animal bird ornithology
🐓 rooster|animal bird ornithology
🐣 hatching chick|animal baby bird egg
🐤 baby chick|animal bird ornithology
🐥 front-facing baby chick|animal bird front-facing newborn ornithology
🐦 bird|animal ornithology
🐧 penguin|animal antarctica bird ornithology
🕊️ dove|bird fly ornithology peace
🦅 eagle|animal bird ornithology
🦆 duck|animal bird ornithology
🦢 swan|animal bird cygnet duckling ornithology
🦉 owl|animal bird ornithology wise
🦤 dodo|animal bird extinction large ornithology
🪶 feather|bird flight light plumage
🦩 flamingo|animal bird flamboyant ornithology tropical
🦚 peacock|animal bird colorful ornithology ostentatious
🦜 parrot|animal bird ornithology pirate talk
🪽 wing|angelic ascend aviation bird fly
🐦‍⬛ black bird|animal beak caw corvid crow
🪿 goose|animal bird duck flock fowl
🐦‍🔥 phoenix|ascend ascension emerge fantasy firebird
🐸 frog|animal face
🐊 crocodile|animal zoo
🐢 turtle|animal terrapin tortoise
🦎 lizard|animal reptile
🐍 snake|animal bearer ophiuchus serpent zodiac
🐲 dragon face|animal fairy fairytale tale
🐉 dragon|animal fairy fairytale knights tale
🦕 sauropod|brachiosaurus brontosaurus dinosaur diplodocus
🦖 T-Rex|dinosaur t-rex tyrannosaurus
🐳 spouting whale|animal beach face ocean
🐋 whale|animal beach ocean
🐬 dolphin|animal beach flipper ocean
🦭 seal|animal lion ocean sea
🐟 fish|animal dinner fishes fishing pisces
🐠 tropical fish|animal fishes
🐡 blowfish|animal fish
🦈 shark|animal fish
🐙 octopus|animal creature ocean
🐚 spiral shell|animal beach conch sea
🪸 coral|change climate ocean reef sea
🪼 jellyfish|animal aquarium burn invertebrate jelly
🦀 crab|cancer zodiac
🦞 lobster|animal bisque claws seafood
🦐 shrimp|food shellfish small
🦑 squid|animal food mollusk
🦪 oyster|diving pearl
🐌 snail|animal escargot garden nature slug
🦋 butterfly|insect pretty
🐛 bug|animal garden insect
🐜 ant|animal garden insect
🐝 honeybee|animal bee bumblebee honey insect
🪲 beetle|animal bug insect
🐞 lady beetle|animal garden insect ladybird ladybug
🦗 cricket|animal bug grasshopper insect orthoptera
🪳 cockroach|animal insect pest roach
🕷️ spider|animal insect
🕸️ spider web
🦂 scorpion|scorpio scorpius zodiac
🦟 mosquito|bite disease fever insect malaria
🪰 fly|animal disease insect maggot pest
🪱 worm|animal annelid earthworm parasite
🦠 microbe|amoeba bacteria science virus
💐 bouquet|anniversary birthday date flower love
🌸 cherry blossom|flower plant spring springtime
💮 white flower
🪷 lotus|beauty buddhism calm flower hinduism
🏵️ rosette|plant
🌹 rose|beauty elegant flower love plant
🥀 wilted flower|dying
🌺 hibiscus|flower plant
🌻 sunflower|flower outdoors plant sun
🌼 blossom|buttercup dandelion flower plant
🌷 tulip|blossom flower growth plant
🪻 hyacinth|bloom bluebonnet flower indigo lavender
🌱 seedling|plant sapling sprout young
🪴 potted plant|decor grow house nurturing pot
🌲 evergreen tree|christmas forest pine
🌳 deciduous tree|forest green habitat shedding
🌴 palm tree|beach plant tropical
🌵 cactus|desert drought nature plant
🌾 sheaf of rice|ear grain grains plant
🌿 herb|leaf plant
☘️ shamrock|irish plant
🍀 four leaf clover|4 four-leaf irish lucky plant
🍁 maple leaf|falling
🍂 fallen leaf|autumn fall falling
🍃 leaf fluttering in wind|blow flutter
🪹 empty nest|branch home nesting
🪺 nest with eggs|bird branch egg nesting
🍄 mushroom|fungus toadstool
# Food and drink
🍇 grapes|dionysus fruit grape
🍈 melon|cantaloupe fruit
🍉 watermelon|fruit
🍊 tangerine|c citrus fruit nectarine orange
🍋 lemon|citrus fruit sour
🍋‍🟩 lime|acidity citrus cocktail fruit garnish
🍌 banana|fruit potassium
🍍 pineapple|colada fruit pina tropical
🥭 mango|food fruit tropical
🍎 red apple|diet food fruit health ripe
🍏 green apple|fruit
🍐 pear|fruit
🍑 peach|fruit
🍒 cherries|berries cherry fruit red
🍓 strawberry|berry fruit
🫐 blueberries|berries berry bilberry blue blueberry
🥝 kiwi fruit|food
🍅 tomato|food fruit vegetable
🫒 olive|food
🥥 coconut|colada palm
🥑 avocado|food fruit
🍆 eggplant|aubergine vegetable
🥔 potato|food vegetable
🥕 carrot|food vegetable
🌽 ear of corn|crops farm maize maze
🌶️ hot pepper
🫑 bell pepper|capsicum food vegetable
🥒 cucumber|food pickle vegetable
🥬 leafy green|bok burgers cabbage choy kale
🥦 broccoli|cabbage wild
🧄 garlic|flavoring
🧅 onion|flavoring
🥜 peanuts|food nut peanut vegetable
🫘 beans|food kidney legume small
🌰 chestnut|almond plant
🫚 ginger root|beer health herb natural spice
🫛 pea pod|beans beanstalk edamame legume soybean
🍄‍🟫 brown mushroom|food fungi fungus nature pizza
🍞 bread|carbs food grain loaf restaurant
🥐 croissant|bread breakfast crescent food french
🥖 baguette bread|food french
🫓 flatbread|arepa bread food gordita lavash
🥨 pretzel|convoluted twisted
🥯 bagel|bakery bread breakfast schmear
🥞 pancakes|breakfast food hotcake pancake
🧇 waffle|breakfast indecisive iron
🧀 cheese wedge
🍖 meat on bone
🍗 poultry leg|bone chicken drumstick hungry turkey
🥩 cut of meat|chop lambchop porkchop red steak
🥓 bacon|breakfast food meat
🍔 hamburger|burger eat fast food hungry
🍟 french fries|fast food
🍕 pizza|cheese food hungry pepperoni slice
🌭 hot dog|frankfurter hotdog sausage
🥪 sandwich|bread
🌮 taco|mexican
🌯 burrito|mexican wrap
🫔 tamale|food mexican pamonha wrapped
🥙 stuffed flatbread|falafel food gyro kebab
🧆 falafel|chickpea meatball
🥚 egg|breakfast food
🍳 cooking|breakfast easy egg fry frying
🥘 shallow pan of food|casserole paella
🍲 pot of food|soup stew
🫕 fondue|cheese chocolate food melted pot
🥣 bowl with spoon|breakfast cereal congee oatmeal porridge
🥗 green salad|food
🍿 popcorn|corn movie pop
🧈 butter|dairy
🧂 salt|condiment flavor mad salty shaker
🥫 canned food|can
🍱 bento box|food
🍘 rice cracker|food
🍙 rice ball|food japanese
🍚 cooked rice|food
🍛 curry rice|food
🍜 steaming bowl|chopsticks food noodle pho ramen
🍝 spaghetti|food meatballs pasta restaurant
🍠 roasted sweet potato|food
🍢 oden|food kebab restaurant seafood skewer
🍣 sushi|food
🍤 fried shrimp|prawn tempura
🍥 fish cake with swirl|food pastry restaurant
🥮 moon cake|autumn festival
🍡 dango|dessert japanese skewer stick sweet
🥟 dumpling|empanada jiaozi pierogi potsticker
🥠 fortune cookie|prophecy
🥡 takeout box|chopsticks delivery food oyster pail
🍦 soft ice cream|dessert food icecream restaurant serve
🍧 shaved ice|dessert restaurant sweet
🍨 ice cream|dessert food restaurant sweet
🍩 doughnut|breakfast dessert donut food sweet
🍪 cookie|chip chocolate dessert sweet
🎂 birthday cake|bday celebration dessert happy pastry
🍰 shortcake|cake dessert pastry slice sweet
🧁 cupcake|bakery dessert sprinkles sugar sweet
🥧 pie|apple filling fruit meat pastry
🍫 chocolate bar|candy dessert halloween sweet tooth
🍬 candy|cavities dessert halloween restaurant sweet
🍭 lollipop|candy dessert food restaurant sweet
🍮 custard|dessert pudding sweet
🍯 honey pot|barrel bear food honeypot jar
🍼 baby bottle|babies birth born drink infant
🥛 glass of milk|drink
☕ hot beverage|cafe caffeine chai coffee drink
🫖 teapot|brew drink food pot tea
🍵 teacup without handle|beverage cup drink oolong tea
🍶 sake|bar beverage bottle cup drink
🍾 bottle with popping cork|bar drink
🍷 wine glass|alcohol bar beverage booze club
🍸 cocktail glass|alcohol bar booze club drink
🍹 tropical drink|alcohol bar booze club cocktail
🍺 beer mug|alcohol ale bar booze drink
🍻 clinking beer mugs|alcohol bar booze bottoms cheers
🥂 clinking glasses|celebrate clink drink glass
🥃 tumbler glass|liquor scotch shot whiskey whisky
🫗 pouring liquid|accident drink empty glass oops
🥤 cup with straw|drink juice malt soda soft
🧋 bubble tea|boba food milk pearl
🧃 beverage box|juice straw sweet
🧉 mate|drink
🧊 ice|cold cube iceberg
🥢 chopsticks|hashi jeotgarak kuaizi
🍽️ fork and knife with plate|cooking dinner eat
🍴 fork and knife|breakfast breaky cooking cutlery delicious
🥄 spoon|eat tableware
🔪 kitchen knife|chef cooking hocho tool weapon
🫙 jar|condiment container empty nothing sauce
🏺 amphora|aquarius cooking drink jug tool
# Travel and places
🌍 globe showing Europe-Africa|earth europe-africa world
🌎 globe showing Americas|earth world
🌏 globe showing Asia-Australia|asia-australia earth world
🌐 globe with meridians|earth internet web world worldwide
🗺️ world map
🗾 map of Japan
🧭 compass|direction magnetic navigation orienteering
🏔️ snow-capped mountain|cold snow-capped
⛰️ mountain
🌋 volcano|eruption mountain nature
🗻 mount fuji|mountain nature
🏕️ camping
🏖️ beach with umbrella
🏜️ desert
🏝️ desert island
🏞️ national park
🏟️ stadium
🏛️ classical building
🏗️ building construction|crane
🧱 brick|bricks clay mortar wall
🪨 rock|boulder heavy solid stone tough
🪵 wood|log lumber timber
🛖 hut|home house roundhouse shelter yurt
🏘️ houses|house
🏚️ derelict house|home
🏠 house|building country heart home ranch
🏡 house with garden|building country heart home ranch
🏢 office building|city cubical job
🏣 Japanese post office|building
🏤 post office|building european
🏥 hospital|building doctor medicine
🏦 bank|building
🏨 hotel|building
🏩 love hotel|building
🏪 convenience store|24 building hours
🏫 school|building
🏬 department store|building
🏭 factory|building
🏯 Japanese castle|building
🏰 castle|building european
💒 wedding|chapel hitched nuptials romance
🗼 Tokyo tower
🗽 Statue of Liberty|new ny nyc york
⛪ church|bless chapel christian cross religion
🕌 mosque|islam masjid muslim religion
🛕 hindu temple
🕍 synagogue|jew jewish judaism religion temple
⛩️ shinto shrine|religion
🕋 kaaba|hajj islam muslim religion umrah
⛲ fountain
⛺ tent|camping
🌁 foggy|fog
🌃 night with stars|star
🏙️ cityscape|city
🌄 sunrise over mountains|morning sun
🌅 sunrise|morning nature sun
🌆 cityscape at dusk|building city evening landscape sun
🌇 sunset|building dusk sun
🌉 bridge at night
♨️ hot springs|hotsprings steaming
🎠 carousel horse|entertainment
🛝 playground slide|amusement park play playing sliding
🎡 ferris wheel|amusement park theme
🎢 roller coaster|amusement park theme
💈 barber pole|cut fresh haircut shave
🎪 circus tent
🚂 locomotive|caboose engine railway steam train
🚃 railway car|electric train tram travel trolleybus
🚄 high-speed train|high-speed railway shinkansen
🚅 bullet train|high-speed nose railway shinkansen speed
🚆 train|arrived choo railway
🚇 metro|subway travel
🚈 light rail|arrived monorail railway
🚉 station|railway train
🚊 tram|trolleybus
🚝 monorail|vehicle
🚞 mountain railway|car trip
🚋 tram car|bus trolley trolleybus
🚌 bus|school vehicle
🚍 oncoming bus|cars
🚎 trolleybus|bus tram trolley
🚐 minibus|bus drive van vehicle
🚑 ambulance|emergency vehicle
🚒 fire engine|truck
🚓 police car|cops patrol
🚔 oncoming police car
🚕 taxi|cab cabbie car drive vehicle
🚖 oncoming taxi|cab cabbie cars drove hail
🚗 automobile|car driving vehicle
🚘 oncoming automobile|car cars drove vehicle
🚙 sport utility vehicle|car drive recreational sportutility
🛻 pickup truck|automobile car flatbed pick-up transportation
🚚 delivery truck|car drive vehicle
🚛 articulated lorry|car drive move semi truck
🚜 tractor|vehicle
🏎️ racing car|zoom
🏍️ motorcycle|racing
🛵 motor scooter
🦽 manual wheelchair|accessibility
🦼 motorized wheelchair|accessibility
🛺 auto rickshaw|tuk
🚲 bicycle|bike class cycle cycling cyclist
🛴 kick scooter
🛹 skateboard|board skate skater wheels
🛼 roller skate|blades skates sport
🚏 bus stop|busstop
🛣️ motorway|highway road
🛤️ railway track|train
🛢️ oil drum
⛽ fuel pump|diesel fuelpump gas gasoline station
🛞 wheel|car circle tire turn vehicle
🚨 police car light|alarm alert beacon emergency revolving
🚥 horizontal traffic light|intersection signal stop stoplight
🚦 vertical traffic light|drove intersection signal stop stoplight
🛑 stop sign|octagonal
🚧 construction|barrier
⚓ anchor|ship tool
🛟 ring buoy|float life lifesaver preserver rescue
⛵ sailboat|boat resort sailing sea yacht
🛶 canoe|boat
🚤 speedboat|billionaire boat lake luxury millionaire
🛳️ passenger ship
⛴️ ferry|boat passenger
🛥️ motor boat|motorboat
🚢 ship|boat passenger travel
✈️ airplane|aeroplane fly flying jet plane
🛩️ small airplane|aeroplane plane
🛫 airplane departure|aeroplane check-in departures plane
🛬 airplane arrival|aeroplane arrivals arriving landing plane
🪂 parachute|hang-glide parasail skydive
💺 seat|chair
🚁 helicopter|copter roflcopter travel vehicle
🚟 suspension railway
🚠 mountain cableway|cable gondola lift ski
🚡 aerial tramway|cable car gondola ropeway
🛰️ satellite|space
🚀 rocket|launch rockets space travel
🛸 flying saucer|aliens extra terrestrial ufo
🛎️ bellhop bell|hotel
🧳 luggage|bag packing roller suitcase travel
⌛ hourglass done|sand time timer
⏳ hourglass not done|flowing hours sand timer waiting
⌚ watch|clock time
⏰ alarm clock|hours hrs late time waiting
⏱️ stopwatch|clock time
⏲️ timer clock
🕰️ mantelpiece clock|time
🕛 twelve o’clock|12 time
🕧 twelve-thirty|12 30 clock time
🕐 one o’clock|1 time
🕜 one-thirty|1 30 clock time
🕑 two o’clock|2 time
🕝 two-thirty|2 30 clock time
🕒 three o’clock|3 time
🕞 three-thirty|3 30 clock time
🕓 four o’clock|4 time
🕟 four-thirty|30 4 clock time
🕔 five o’clock|5 time
🕠 five-thirty|30 5 clock time
🕕 six o’clock|6 time
🕡 six-thirty|30 6 clock
🕖 seven o’clock|0 7
🕢 seven-thirty|30 7 clock
🕗 eight o’clock|8 time
🕣 eight-thirty|30 8 clock time
🕘 nine o’clock|9 time
🕤 nine-thirty|30 9 clock time
🕙 ten o’clock|0 10
🕥 ten-thirty|10 30 clock time
🕚 eleven o’clock|11 time
🕦 eleven-thirty|11 30 clock time
🌑 new moon|dark space
🌒 waxing crescent moon|dreams space
🌓 first quarter moon|space
🌔 waxing gibbous moon|space
🌕 full moon|space
🌖 waning gibbous moon|space
🌗 last quarter moon|space
🌘 waning crescent moon|space
🌙 crescent moon|ramadan space
🌚 new moon face|space
🌛 first quarter moon face|space
🌜 last quarter moon face|dreams
🌡️ thermometer|weather
☀️ sun|bright rays space sunny weather
🌝 full moon face|bright
🌞 sun with face|beach bright day heat shine
🪐 ringed planet|saturn saturnine
⭐ star|astronomy medium stars white
🌟 glowing star|glittery glow night shining sparkle
🌠 shooting star|falling night space
🌌 milky way|space
☁️ cloud|weather
⛅ sun behind cloud|cloudy weather
⛈️ cloud with lightning and rain|thunder thunderstorm
🌤️ sun behind small cloud|weather
🌥️ sun behind large cloud|weather
🌦️ sun behind rain cloud|weather
🌧️ cloud with rain|weather
🌨️ cloud with snow|cold weather
🌩️ cloud with lightning|weather
🌪️ tornado|cloud weather whirlwind
🌫️ fog|cloud weather
🌬️ wind face|blow cloud
🌀 cyclone|dizzy hurricane twister typhoon weather
🌈 rainbow|gay genderqueer glbt glbtq lesbian
🌂 closed umbrella|clothing rain
☂️ umbrella|clothing rain
☔ umbrella with rain drops|clothing drop weather
⛱️ umbrella on ground|rain sun
⚡ high voltage|danger electric electricity lightning nature
❄️ snowflake|cold snow weather
☃️ snowman|cold man snow
⛄ snowman without snow|cold man
☄️ comet|space
🔥 fire|af burn flame hot lit
💧 droplet|cold comic drop nature sad
🌊 water wave|nature ocean surf surfer surfing
# Activities
🎃 jack-o-lantern|celebration halloween pumpkin
🎄 Christmas tree|celebration
🎆 fireworks|boom celebration entertainment yolo
🎇 sparkler|boom celebration fireworks sparkle
🧨 firecracker|dynamite explosive fire fireworks light
✨ sparkles|magic sparkle star
🎈 balloon|birthday celebrate celebration
🎉 party popper|awesome birthday celebrate celebration excited
🎊 confetti ball|celebrate celebration party woohoo
🎋 tanabata tree|banner celebration japanese
🎍 pine decoration|bamboo celebration japanese plant
🎎 Japanese dolls|celebration doll festival
🎏 carp streamer|celebration
🎐 wind chime|bell celebration
🎑 moon viewing ceremony|celebration
🧧 red envelope|gift good lai luck money
🎀 ribbon|celebration
🎁 wrapped gift|birthday bow box celebration christmas
🎗️ reminder ribbon|celebration
🎟️ admission tickets|ticket
🎫 ticket|admission stub
🎖️ military medal|award celebration
🏆 trophy|champion champs prize slay sport
🏅 sports medal|award gold winner
🥇 1st place medal|first gold
🥈 2nd place medal|second silver
🥉 3rd place medal|bronze third
⚽ soccer ball|football futbol sport
⚾ baseball|ball sport
🥎 softball|ball glove sports underarm
🏀 basketball|ball hoop sport
🏐 volleyball|ball game
🏈 american football|ball bowl sport super
🏉 rugby football|ball sport
🎾 tennis|ball racquet sport
🥏 flying disc|ultimate
🎳 bowling|ball game sport strike
🏏 cricket game|ball bat
🏑 field hockey|ball game stick
🏒 ice hockey|game puck stick
🥍 lacrosse|ball goal sports stick
🏓 ping pong|ball bat game paddle pingpong
🏸 badminton|birdie game racquet shuttlecock
🥊 boxing glove
🥋 martial arts uniform|judo karate taekwondo
🥅 goal net
⛳ flag in hole|golf sport
⛸️ ice skate|skating
🎣 fishing pole|entertainment fish sport
🤿 diving mask|scuba snorkeling
🎽 running shirt|athletics sash
🎿 skis|ski snow sport
🛷 sled|luge sledge sleigh snow toboggan
🥌 curling stone|game rock
🎯 bullseye|bull dart direct entertainment game
🪀 yo-yo|fluctuate toy
🪁 kite|fly soar
🔫 water pistol|gun handgun revolver tool weapon
🎱 pool 8 ball|8ball billiard eight game
🔮 crystal ball|fairy fairytale fantasy fortune future
🪄 magic wand|magician witch wizard
🎮 video game|controller entertainment
🕹️ joystick|game video videogame
🎰 slot machine|casino gamble gambling game slots
🎲 game die|dice entertainment
🧩 puzzle piece|clue interlocking jigsaw
🧸 teddy bear|plaything plush stuffed toy
🪅 piñata|candy celebrate celebration cinco de
🪩 mirror ball|dance disco glitter party
🪆 nesting dolls|babooshka baboushka babushka doll matryoshka
♠️ spade suit|card game
♥️ heart suit|card emotion game hearts
♦️ diamond suit|card game
♣️ club suit|card clubs game
♟️ chess pawn|dupe expendable
🃏 joker|card game wildcard
🀄 mahjong red dragon|game
🎴 flower playing cards|card game japanese
🎭 performing arts|actor actress art entertainment mask
🖼️ framed picture|art frame museum painting
🎨 artist palette|art artsy arty colorful creative
🧵 thread|needle sewing spool string
🪡 sewing needle|embroidery sew stitches sutures tailoring
🧶 yarn|ball crochet knit
🪢 knot|cord rope tangled tie twine
# Objects
👓 glasses|clothing eye eyeglasses eyewear
🕶️ sunglasses|dark eye eyewear glasses
🥽 goggles|dive eye protection scuba swimming
🥼 lab coat|clothes doctor dr experiment jacket
🦺 safety vest|emergency
👔 necktie|clothing employed serious shirt tie
👕 t-shirt|blue casual clothes clothing collar
👖 jeans|blue casual clothes clothing denim
🧣 scarf|bundle cold neck up
🧤 gloves|hand
🧥 coat|brr bundle cold jacket up
🧦 socks|stocking
👗 dress|clothes clothing dressed fancy shopping
👘 kimono|clothing comfortable
🥻 sari|clothing dress
🩱 one-piece swimsuit|bathing one-piece suit
🩲 briefs|bathing one-piece suit swimsuit underwear
🩳 shorts|bathing pants suit swimsuit underwear
👙 bikini|bathing beach clothing pool suit
👚 woman’s clothes|blouse clothing collar dress dressed
🪭 folding hand fan|clack clap cool cooling dance
👛 purse|clothes clothing coin dress fancy
👜 handbag|bag clothes clothing dress lady
👝 clutch bag|clothes clothing dress handbag pouch
🛍️ shopping bags|bag hotel
🎒 backpack|backpacking bag bookbag education rucksack
🩴 thong sandal|beach flip flop sandals shoe
👞 man’s shoe|brown clothes clothing feet foot
👟 running shoe|athletic clothes clothing fast kick
🥾 hiking boot|backpacking brown camping outdoors shoe
🥿 flat shoe|ballet comfy flats slip-on slipper
👠 high-heeled shoe|clothes clothing dress fashion heel
👡 woman’s sandal|clothing shoe
🩰 ballet shoes|dance
👢 woman’s boot|clothes clothing dress shoe shoes
🪮 hair pick|afro comb groom
👑 crown|clothing family king medieval queen
👒 woman’s hat|clothes clothing garden hats party
🎩 top hat|clothes clothing fancy formal magic
🎓 graduation cap|celebration clothing education hat scholar
🧢 billed cap|baseball bent dad hat
🪖 military helmet|army soldier war warrior
⛑️ rescue worker’s helmet|aid cross face hat
📿 prayer beads|clothing necklace religion
💄 lipstick|cosmetics date makeup
💍 ring|diamond engaged engagement married romance
💎 gem stone|diamond engagement jewel money romance
🔇 muted speaker|mute quiet silent sound
🔈 speaker low volume|soft sound
🔉 speaker medium volume|sound
🔊 speaker high volume|loud music sound
📢 loudspeaker|address communication loud public sound
📣 megaphone|cheering sound
📯 postal horn|post
🔔 bell|break church sound
🔕 bell with slash|forbidden mute no not prohibited
🎼 musical score|music note
🎵 musical note|music sound
🎶 musical notes|music note sound
🎙️ studio microphone|mic music
🎚️ level slider|music
🎛️ control knobs|music
🎤 microphone|karaoke mic music sing sound
🎧 headphone|earbud sound
📻 radio|entertainment tbt video
🎷 saxophone|instrument music sax
🎺 trumpet|instrument music
🪗 accordion|box concertina instrument music squeeze
🎸 guitar|instrument music strat
🎹 musical keyboard|instrument music piano
🎻 violin|instrument music
🪕 banjo|music stringed
🥁 drum|drumsticks music
🪘 long drum|beat conga instrument rhythm
🪇 maracas|cha dance instrument music party
🪈 flute|band fife flautist instrument marching
📱 mobile phone|cell communication telephone
📲 mobile phone with arrow|build call cell communication receive
☎️ telephone|phone
📞 telephone receiver|communication phone voip
📟 pager|communication
📠 fax machine|communication
🔋 battery
🪫 low battery|drained electronic energy power
🔌 electric plug|electricity
💻 laptop|computer office pc personal
🖥️ desktop computer|monitor
🖨️ printer|computer
⌨️ keyboard|computer
🖱️ computer mouse
🖲️ trackball|computer
💽 computer disk|minidisk optical
💾 floppy disk|computer
💿 optical disk|blu-ray cd computer dvd
📀 dvd|blu-ray cd computer disk optical
🧮 abacus|calculation calculator
🎥 movie camera|bollywood cinema film hollywood record
🎞️ film frames|cinema movie
📽️ film projector|cinema movie video
🎬 clapper board|action movie
📺 television|tv video
📷 camera|photo selfie snap tbt trip
📸 camera with flash|video
📹 video camera|camcorder tbt
📼 videocassette|old school tape vcr vhs
🔍 magnifying glass tilted left|lab left-pointing science search tool
🔎 magnifying glass tilted right|contact lab right-pointing science search
🕯️ candle|light
💡 light bulb|comic electric idea
🔦 flashlight|electric light tool torch
🏮 red paper lantern|bar light restaurant
🪔 diya lamp|light oil
📔 notebook with decorative cover|book decorated education school writing
📕 closed book|education
📖 open book|education fantasy knowledge library novels
📗 green book|education fantasy library reading
📘 blue book|education fantasy library reading
📙 orange book|education fantasy library reading
📚 books|book education fantasy knowledge library
📓 notebook
📒 ledger|notebook
📃 page with curl|document paper
📜 scroll|paper
📄 page facing up|document paper
📰 newspaper|communication news paper
🗞️ rolled-up newspaper|news paper rolled-up
📑 bookmark tabs|mark marker
🔖 bookmark|mark
🏷️ label|tag
🪙 coin|dollar euro gold metal money
💰 money bag|bank bet billion cash cost
💴 yen banknote|bank bill currency money note
💵 dollar banknote|bank bill currency money note
💶 euro banknote|100 bank bill currency money
💷 pound banknote|bank bill billion cash currency
💸 money with wings|bank banknote bill billion cash
💳 credit card|bank cash charge money pay
🧾 receipt|accounting bookkeeping evidence invoice proof
💹 chart increasing with yen|bank currency graph growth market
✉️ envelope|e-mail email letter
📧 e-mail|email letter
📨 incoming envelope|delivering e-mail email letter mail
📩 envelope with arrow|communication down e-mail email letter
📤 outbox tray|box email letter mail sent
📥 inbox tray|box email letter mail receive
📦 package|box communication delivery parcel shipping
📫 closed mailbox with raised flag|communication mail postbox
📪 closed mailbox with lowered flag|mail postbox
📬 open mailbox with raised flag|mail postbox
📭 open mailbox with lowered flag|mail postbox
📮 postbox|mail mailbox
🗳️ ballot box with ballot
✏️ pencil
✒️ black nib|pen
🖋️ fountain pen
🖊️ pen|ballpoint
🖌️ paintbrush|painting
🖍️ crayon
📝 memo|communication media notes pencil
💼 briefcase|office
📁 file folder
📂 open file folder
🗂️ card index dividers
📅 calendar|date
📆 tear-off calendar|tear-off
🗒️ spiral notepad|note pad
🗓️ spiral calendar|pad
📇 card index|old rolodex school
📈 chart increasing|data graph growth right trend
📉 chart decreasing|data down downward graph negative
📊 bar chart|data graph
📋 clipboard|do list notes
📌 pushpin|collage pin
📍 round pushpin|location map pin
📎 paperclip
🖇️ linked paperclips|link paperclip
📏 straight ruler|angle edge math straightedge
📐 triangular ruler|angle math rule set slide
✂️ scissors|cut cutting paper tool
🗃️ card file box
🗄️ file cabinet|filing paper
🗑️ wastebasket|can garbage trash waste
🔒 locked|closed lock private
🔓 unlocked|cracked lock open unlock
🔏 locked with pen|ink lock nib privacy
🔐 locked with key|bike closed lock secure
🔑 key|keys lock major password unlock
🗝️ old key|clue lock
🔨 hammer|home improvement repairs tool
🪓 axe|ax chop hatchet split wood
⛏️ pick|hammer mining tool
⚒️ hammer and pick|tool
🛠️ hammer and wrench|spanner tool
🗡️ dagger|knife weapon
⚔️ crossed swords|weapon
💣 bomb|boom comic dangerous explosion hot
🪃 boomerang|rebound repercussion weapon
🏹 bow and arrow|archer archery sagittarius tool weapon
🛡️ shield|weapon
🪚 carpentry saw|carpenter cut lumber tool trim
🔧 wrench|home improvement spanner tool
🪛 screwdriver|flathead handy screw tool
🔩 nut and bolt|home improvement tool
⚙️ gear|cog cogwheel tool
🗜️ clamp|compress tool vice
⚖️ balance scale|justice libra scales tool weight
🦯 white cane|accessibility blind probing
🔗 link|links
⛓️‍💥 broken chain|break breaking cuffs freedom
⛓️ chains|chain
🪝 hook|catch crook curve ensnare point
🧰 toolbox|box chest mechanic red tool
🧲 magnet|attraction horseshoe magnetic negative positive
🪜 ladder|climb rung step
⚗️ alembic|chemistry tool
🧪 test tube|chemist chemistry experiment lab science
🧫 petri dish|bacteria biologist biology culture lab
🧬 dna|biologist evolution gene genetics life
🔬 microscope|experiment lab science tool
🔭 telescope|contact extraterrestrial science tool
📡 satellite antenna|aliens contact dish science
💉 syringe|doctor flu medicine needle shot
🩸 drop of blood|bleed donation injury medicine menstruation
💊 pill|doctor drugs medicated medicine pills
🩹 adhesive bandage
🩼 crutch|aid cane disability help hurt
🩺 stethoscope|doctor heart medicine
🩻 x-ray|bones doctor medical skeleton skull
🚪 door|back closet front
🛗 elevator|accessibility hoist lift
🪞 mirror|makeup reflection reflector speculum
🪟 window|air frame fresh opening transparent
🛏️ bed|hotel sleep
🛋️ couch and lamp|hotel
🪑 chair|seat sit
🚽 toilet|bathroom
🪠 plunger|cup force plumber poop suction
🚿 shower|water
🛁 bathtub|bath
🪤 mouse trap|bait cheese lure mousetrap snare
🪒 razor|sharp shave
🧴 lotion bottle|moisturizer shampoo sunscreen
🧷 safety pin|diaper punk rock
🧹 broom|cleaning sweeping witch
🧺 basket|farming laundry picnic
🧻 roll of paper|toilet towels
🪣 bucket|cask pail vat
🧼 soap|bar bathing clean cleaning lather
🫧 bubbles|bubble burp clean floating pearl
🪥 toothbrush|bathroom brush clean dental hygiene
🧽 sponge|absorbing cleaning porous soak
🧯 fire extinguisher|extinguish quench
🛒 shopping cart|trolley
🚬 cigarette|smoking
⚰️ coffin|dead death vampire
🪦 headstone|cemetery dead grave graveyard memorial
⚱️ funeral urn|ashes death
🧿 nazar amulet|bead blue charm evil-eye talisman
🪬 hamsa|amulet fatima fortune guide hand
🗿 moai|face moyai statue stoneface travel
🪧 placard|card demonstration notice picket plaque
🪪 identification card|credentials document id license security
# Symbols
🏧 ATM sign|automated bank cash money teller
🚮 litter in bin sign|litterbin
🚰 potable water|drinking
♿ wheelchair symbol|access handicap
🚹 men’s room|bathroom lavatory man restroom toilet
🚺 women’s room|bathroom lavatory restroom toilet wc
🚻 restroom|bathroom lavatory toilet wc
🚼 baby symbol|changing
🚾 water closet|bathroom lavatory restroom toilet wc
🛂 passport control
🛃 customs|packing
🛄 baggage claim|arrived bags case checked journey
🛅 left luggage|baggage case locker
⚠️ warning|caution
🚸 children crossing|child pedestrian traffic
⛔ no entry|do fail forbidden not pass
🚫 prohibited|entry forbidden no not smoke
🚳 no bicycles|bicycle bike forbidden not prohibited
🚭 no smoking|forbidden not prohibited smoke
🚯 no littering|forbidden litter not prohibited
🚱 non-potable water|dry non-drinking non-potable prohibited
🚷 no pedestrians|forbidden not pedestrian prohibited
📵 no mobile phones|cell forbidden not phone prohibited
🔞 no one under eighteen|18 age forbidden not prohibited
☢️ radioactive|sign
☣️ biohazard|sign
⬆️ up arrow|cardinal direction north
↗️ up-right arrow|direction intercardinal northeast up-right
➡️ right arrow|cardinal direction east
↘️ down-right arrow|direction down-right intercardinal southeast
⬇️ down arrow|cardinal direction south
↙️ down-left arrow|direction down-left intercardinal southwest
⬅️ left arrow|cardinal direction west
↖️ up-left arrow|direction intercardinal northwest up-left
↕️ up-down arrow|up-down
↔️ left-right arrow|left-right
↩️ right arrow curving left
↪️ left arrow curving right
⤴️ right arrow curving up
⤵️ right arrow curving down
🔃 clockwise vertical arrows|arrow refresh reload
🔄 counterclockwise arrows button|again anticlockwise arrow deja refresh
🔙 BACK arrow
🔚 END arrow
🔛 ON! arrow|mark
🔜 SOON arrow|brb omw
🔝 TOP arrow|homie up
🛐 place of worship|pray religion
⚛️ atom symbol|atheist
🕉️ om|hindu religion
✡️ star of David|jew jewish judaism religion
☸️ wheel of dharma|buddhist religion
☯️ yin yang|difficult lives religion tao taoist
✝️ latin cross|christ christian religion
☦️ orthodox cross|christian religion
☪️ star and crescent|islam muslim ramadan religion
☮️ peace symbol|healing peaceful
🕎 menorah|candelabrum candlestick hanukkah jewish judaism
🔯 dotted six-pointed star|fortune jewish judaism six-pointed
🪯 khanda|deg fateh khalsa religion sikh
♈ Aries|horoscope ram zodiac
♉ Taurus|bull horoscope ox zodiac
♊ Gemini|horoscope twins zodiac
♋ Cancer|crab horoscope zodiac
♌ Leo|horoscope lion zodiac
♍ Virgo|horoscope zodiac
♎ Libra|balance horoscope justice scales zodiac
♏ Scorpio|horoscope scorpion scorpius zodiac
♐ Sagittarius|archer horoscope zodiac
♑ Capricorn|goat horoscope zodiac
♒ Aquarius|bearer horoscope water zodiac
♓ Pisces|fish horoscope zodiac
⛎ Ophiuchus|bearer serpent snake zodiac
🔀 shuffle tracks button|arrow crossed
🔁 repeat button|arrow clockwise
🔂 repeat single button|arrow clockwise once
▶️ play button|arrow right triangle
⏩ fast-forward button|arrow double fast-forward
⏭️ next track button|arrow scene triangle
⏯️ play or pause button|arrow right triangle
◀️ reverse button|arrow left triangle
⏪ fast reverse button|arrow double rewind
⏮️ last track button|arrow previous scene triangle
🔼 upwards button|arrow red up
⏫ fast up button|arrow double
🔽 downwards button|arrow down red
⏬ fast down button|arrow double
⏸️ pause button|bar double vertical
⏹️ stop button|square
⏺️ record button|circle
⏏️ eject button
🎦 cinema|camera film movie
🔅 dim button|brightness low
🔆 bright button|brightness light
📶 antenna bars|bar cell communication mobile phone
🛜 wireless|broadband computer connectivity hotspot internet
📳 vibration mode|cell communication mobile phone telephone
📴 mobile phone off|cell telephone
♀️ female sign|woman
♂️ male sign|man
⚧️ transgender symbol
✖️ multiply|cancel multiplication sign x
➕ plus
➖ minus|- heavy math sign
➗ divide|division heavy math sign
🟰 heavy equals sign|answer equal equality math
♾️ infinity|forever unbounded universal
‼️ double exclamation mark|bangbang punctuation
⁉️ exclamation question mark|interrobang punctuation
❓ red question mark|punctuation
❔ white question mark|outlined punctuation
❕ white exclamation mark|outlined punctuation
❗ red exclamation mark|punctuation
〰️ wavy dash|punctuation
💱 currency exchange|bank money
💲 heavy dollar sign|billion cash charge currency million
⚕️ medical symbol|aesculapius medicine staff
♻️ recycling symbol|recycle
⚜️ fleur-de-lis|knights
🔱 trident emblem|anchor poseidon ship tool
📛 name badge
🔰 Japanese symbol for beginner|chevron green leaf tool yellow
⭕ hollow red circle|heavy large o
✅ check mark button|checked checkmark complete completed done
☑️ check box with check|ballot checked done off tick
✔️ check mark|checked checkmark done heavy tick
❌ cross mark|cancel multiplication multiply x
❎ cross mark button|multiplication multiply square x
➰ curly loop|curl
➿ double curly loop|curl
〽️ part alternation mark
✳️ eight-spoked asterisk|eight-spoked
✴️ eight-pointed star|eight-pointed
❇️ sparkle
©️ copyright|c
®️ registered|r
™️ trade mark|tm trademark
#️⃣ keycap: #
*️⃣ keycap: *
0️⃣ keycap: 0|zero
1️⃣ keycap: 1|one
2️⃣ keycap: 2|two
3️⃣ keycap: 3|three
4️⃣ keycap: 4|four
5️⃣ keycap: 5|five
6️⃣ keycap: 6|six
7️⃣ keycap: 7|seven
8️⃣ keycap: 8|eight
9️⃣ keycap: 9|nine
🔟 keycap: 10
🔠 input latin uppercase|abcd letters
🔡 input latin lowercase|abcd letters
🔢 input numbers|1234
🔣 input symbols
🔤 input latin letters|abc alphabet
🅰️ A button (blood type)
🆎 AB button (blood type)
🅱️ B button (blood type)
🆑 CL button
🆒 COOL button
🆓 FREE button
ℹ️ information|i
🆔 ID button|identity
Ⓜ️ circled M|circle
🆕 NEW button
🆖 NG button
🅾️ O button (blood type)
🆗 OK button|okay
🅿️ P button|parking
🆘 SOS button|help
🆙 UP! button|mark
🆚 VS button|versus
🈁 Japanese “here” button|katakana
🈂️ Japanese “service charge” button|katakana
🈷️ Japanese “monthly amount” button|ideograph
🈶 Japanese “not free of charge” button|ideograph
🈯 Japanese “reserved” button|ideograph
🉐 Japanese “bargain” button|ideograph
🈹 Japanese “discount” button|ideograph
🈚 Japanese “free of charge” button|ideograph
🈲 Japanese “prohibited” button|ideograph
🉑 Japanese “acceptable” button|ideograph
🈸 Japanese “application” button|ideograph
🈴 Japanese “passing grade” button|ideograph
🈳 Japanese “vacancy” button|ideograph
㊗️ Japanese “congratulations” button|ideograph
㊙️ Japanese “secret” button|ideograph
🈺 Japanese “open for business” button|ideograph
🈵 Japanese “no vacancy” button|ideograph
🔴 red circle|geometric
🟠 orange circle
🟡 yellow circle
🟢 green circle
🔵 blue circle|geometric
🟣 purple circle
🟤 brown circle
⚫ black circle|geometric
⚪ white circle|geometric
🟥 red square|card penalty
🟧 orange square
🟨 yellow square|card penalty
🟩 green square
🟦 blue square
🟪 purple square
🟫 brown square
⬛ black large square|geometric
⬜ white large square|geometric
◼️ black medium square|geometric
◻️ white medium square|geometric
◾ black medium-small square|geometric medium-small
◽ white medium-small square|geometric medium-small
▪️ black small square|geometric
▫️ white small square|geometric
🔶 large orange diamond|geometric
🔷 large blue diamond|geometric
🔸 small orange diamond|geometric
🔹 small blue diamond|geometric
🔺 red triangle pointed up|geometric
🔻 red triangle pointed down|geometric
💠 diamond with a dot|comic geometric
🔘 radio button|geometric
🔳 white square button|geometric outlined
🔲 black square button|geometric
# Flags
🏁 chequered flag|checkered finish flags game race
🚩 triangular flag|construction golf post
🎌 crossed flags|celebration cross japanese
🏴 black flag|waving
🏳️ white flag|waving
🏳️‍🌈 rainbow flag|bisexual gay genderqueer glbt glbtq
🏳️‍⚧️ transgender flag|blue light pink white
🏴‍☠️ pirate flag|jolly plunder roger treasure
🇦🇨 flag: Ascension Island|AC
🇦🇩 flag: Andorra|AD
🇦🇪 flag: United Arab Emirates|AE
🇦🇫 flag: Afghanistan|AF
🇦🇬 flag: Antigua & Barbuda|AG
🇦🇮 flag: Anguilla|AI
🇦🇱 flag: Albania|AL
🇦🇲 flag: Armenia|AM
🇦🇴 flag: Angola|AO
🇦🇶 flag: Antarctica|AQ
🇦🇷 flag: Argentina|AR
🇦🇸 flag: American Samoa|AS
🇦🇹 flag: Austria|AT
🇦🇺 flag: Australia|AU
🇦🇼 flag: Aruba|AW
🇦🇽 flag: Åland Islands|AX
🇦🇿 flag: Azerbaijan|AZ
🇧🇦 flag: Bosnia & Herzegovina|BA
🇧🇧 flag: Barbados|BB
🇧🇩 flag: Bangladesh|BD
🇧🇪 flag: Belgium|BE
🇧🇫 flag: Burkina Faso|BF
🇧🇬 flag: Bulgaria|BG
🇧🇭 flag: Bahrain|BH
🇧🇮 flag: Burundi|BI
🇧🇯 flag: Benin|BJ
🇧🇱 flag: St. Barthélemy|BL
🇧🇲 flag: Bermuda|BM
🇧🇳 flag: Brunei|BN
🇧🇴 flag: Bolivia|BO
🇧🇶 flag: Caribbean Netherlands|BQ
🇧🇷 flag: Brazil|BR
🇧🇸 flag: Bahamas|BS
🇧🇹 flag: Bhutan|BT
🇧🇻 flag: Bouvet Island|BV
🇧🇼 flag: Botswana|BW
🇧🇾 flag: Belarus|BY
🇧🇿 flag: Belize|BZ
🇨🇦 flag: Canada|CA
🇨🇨 flag: Cocos (Keeling) Islands|CC
🇨🇩 flag: Congo - Kinshasa|CD
🇨🇫 flag: Central African Republic|CF
🇨🇬 flag: Congo - Brazzaville|CG
🇨🇭 flag: Switzerland|CH
🇨🇮 flag: Côte d’Ivoire|CI
🇨🇰 flag: Cook Islands|CK
🇨🇱 flag: Chile|CL
🇨🇲 flag: Cameroon|CM
🇨🇳 flag: China|CN
🇨🇴 flag: Colombia|CO
🇨🇵 flag: Clipperton Island|CP
🇨🇷 flag: Costa Rica|CR
🇨🇺 flag: Cuba|CU
🇨🇻 flag: Cape Verde|CV
🇨🇼 flag: Curaçao|CW
🇨🇽 flag: Christmas Island|CX
🇨🇾 flag: Cyprus|CY
🇨🇿 flag: Czechia|CZ
🇩🇪 flag: Germany|DE
🇩🇬 flag: Diego Garcia|DG
🇩🇯 flag: Djibouti|DJ
🇩🇰 flag: Denmark|DK
🇩🇲 flag: Dominica|DM
🇩🇴 flag: Dominican Republic|DO
🇩🇿 flag: Algeria|DZ
🇪🇦 flag: Ceuta & Melilla|EA
🇪🇨 flag: Ecuador|EC
🇪🇪 flag: Estonia|EE
🇪🇬 flag: Egypt|EG
🇪🇭 flag: Western Sahara|EH
🇪🇷 flag: Eritrea|ER
🇪🇸 flag: Spain|ES
🇪🇹 flag: Ethiopia|ET
🇪🇺 flag: European Union|EU
🇫🇮 flag: Finland|FI
🇫🇯 flag: Fiji|FJ
🇫🇰 flag: Falkland Islands|FK
🇫🇲 flag: Micronesia|FM
🇫🇴 flag: Faroe Islands|FO
🇫🇷 flag: France|FR
🇬🇦 flag: Gabon|GA
🇬🇧 flag: United Kingdom|GB
🇬🇩 flag: Grenada|GD
🇬🇪 flag: Georgia|GE
🇬🇫 flag: French Guiana|GF
🇬🇬 flag: Guernsey|GG
🇬🇭 flag: Ghana|GH
🇬🇮 flag: Gibraltar|GI
🇬🇱 flag: Greenland|GL
🇬🇲 flag: Gambia|GM
🇬🇳 flag: Guinea|GN
🇬🇵 flag: Guadeloupe|GP
🇬🇶 flag: Equatorial Guinea|GQ
🇬🇷 flag: Greece|GR
🇬🇸 flag: South Georgia & South Sandwich Islands|GS
🇬🇹 flag: Guatemala|GT
🇬🇺 flag: Guam|GU
🇬🇼 flag: Guinea-Bissau|GW
🇬🇾 flag: Guyana|GY
🇭🇰 flag: Hong Kong SAR China|HK
🇭🇲 flag: Heard & McDonald Islands|HM
🇭🇳 flag: Honduras|HN
🇭🇷 flag: Croatia|HR
🇭🇹 flag: Haiti|HT
🇭🇺 flag: Hungary|HU
🇮🇨 flag: Canary Islands|IC
🇮🇩 flag: Indonesia|ID
🇮🇪 flag: Ireland|IE
🇮🇱 flag: Israel|IL
🇮🇲 flag: Isle of Man|IM
🇮🇳 flag: India|IN
🇮🇴 flag: British Indian Ocean Territory|IO
🇮🇶 flag: Iraq|IQ
🇮🇷 flag: Iran|IR
🇮🇸 flag: Iceland|IS
🇮🇹 flag: Italy|IT
🇯🇪 flag: Jersey|JE
🇯🇲 flag: Jamaica|JM
🇯🇴 flag: Jordan|JO
🇯🇵 flag: Japan|JP
🇰🇪 flag: Kenya|KE
🇰🇬 flag: Kyrgyzstan|KG
🇰🇭 flag: Cambodia|KH
🇰🇮 flag: Kiribati|KI
🇰🇲 flag: Comoros|KM
🇰🇳 flag: St. Kitts & Nevis|KN
🇰🇵 flag: North Korea|KP
🇰🇷 flag: South Korea|KR
🇰🇼 flag: Kuwait|KW
🇰🇾 flag: Cayman Islands|KY
🇰🇿 flag: Kazakhstan|KZ
🇱🇦 flag: Laos|LA
🇱🇧 flag: Lebanon|LB
🇱🇨 flag: St. Lucia|LC
🇱🇮 flag: Liechtenstein|LI
🇱🇰 flag: Sri Lanka|LK
🇱🇷 flag: Liberia|LR
🇱🇸 flag: Lesotho|LS
🇱🇹 flag: Lithuania|LT
🇱🇺 flag: Luxembourg|LU
🇱🇻 flag: Latvia|LV
🇱🇾 flag: Libya|LY
🇲🇦 flag: Morocco|MA
🇲🇨 flag: Monaco|MC
🇲🇩 flag: Moldova|MD
🇲🇪 flag: Montenegro|ME
🇲🇫 flag: St. Martin|MF
🇲🇬 flag: Madagascar|MG
🇲🇭 flag: Marshall Islands|MH
🇲🇰 flag: North Macedonia|MK
🇲🇱 flag: Mali|ML
🇲🇲 flag: Myanmar (Burma)|MM
🇲🇳 flag: Mongolia|MN
🇲🇴 flag: Macao SAR China|MO
🇲🇵 flag: Northern Mariana Islands|MP
🇲🇶 flag: Martinique|MQ
🇲🇷 flag: Mauritania|MR
🇲🇸 flag: Montserrat|MS
🇲🇹 flag: Malta|MT
🇲🇺 flag: Mauritius|MU
🇲🇻 flag: Maldives|MV
🇲🇼 flag: Malawi|MW
🇲🇽 flag: Mexico|MX
🇲🇾 flag: Malaysia|MY
🇲🇿 flag: Mozambique|MZ
🇳🇦 flag: Namibia|NA
🇳🇨 flag: New Caledonia|NC
🇳🇪 flag: Niger|NE
🇳🇫 flag: Norfolk Island|NF
🇳🇬 flag: Nigeria|NG
🇳🇮 flag: Nicaragua|NI
🇳🇱 flag: Netherlands|NL
🇳🇴 flag: Norway|NO
🇳🇵 flag: Nepal|NP
🇳🇷 flag: Nauru|NR
🇳🇺 flag: Niue|NU
🇳🇿 flag: New Zealand|NZ
🇴🇲 flag: Oman|OM
🇵🇦 flag: Panama|PA
🇵🇪 flag: Peru|PE
🇵🇫 flag: French Polynesia|PF
🇵🇬 flag: Papua New Guinea|PG
🇵🇭 flag: Philippines|PH
🇵🇰 flag: Pakistan|PK
🇵🇱 flag: Poland|PL
🇵🇲 flag: St. Pierre & Miquelon|PM
🇵🇳 flag: Pitcairn Islands|PN
🇵🇷 flag: Puerto Rico|PR
🇵🇸 flag: Palestinian Territories|PS
🇵🇹 flag: Portugal|PT
🇵🇼 flag: Palau|PW
🇵🇾 flag: Paraguay|PY
🇶🇦 flag: Qatar|QA
🇷🇪 flag: Réunion|RE
🇷🇴 flag: Romania|RO
🇷🇸 flag: Serbia|RS
🇷🇺 flag: Russia|RU
🇷🇼 flag: Rwanda|RW
🇸🇦 flag: Saudi Arabia|SA
🇸🇧 flag: Solomon Islands|SB
🇸🇨 flag: Seychelles|SC
🇸🇩 flag: Sudan|SD
🇸🇪 flag: Sweden|SE
🇸🇬 flag: Singapore|SG
🇸🇭 flag: St. Helena|SH
🇸🇮 flag: Slovenia|SI
🇸🇯 flag: Svalbard & Jan Mayen|SJ
🇸🇰 flag: Slovakia|SK
🇸🇱 flag: Sierra Leone|SL
🇸🇲 flag: San Marino|SM
🇸🇳 flag: Senegal|SN
🇸🇴 flag: Somalia|SO
🇸🇷 flag: Suriname|SR
🇸🇸 flag: South Sudan|SS
🇸🇹 flag: São Tomé & Príncipe|ST
🇸🇻 flag: El Salvador|SV
🇸🇽 flag: Sint Maarten|SX
🇸🇾 flag: Syria|SY
🇸🇿 flag: Eswatini|SZ
🇹🇦 flag: Tristan da Cunha|TA
🇹🇨 flag: Turks & Caicos Islands|TC
🇹🇩 flag: Chad|TD
🇹🇫 flag: French Southern Territories|TF
🇹🇬 flag: Togo|TG
🇹🇭 flag: Thailand|TH
🇹🇯 flag: Tajikistan|TJ
🇹🇰 flag: Tokelau|TK
🇹🇱 flag: Timor-Leste|TL
🇹🇲 flag: Turkmenistan|TM
🇹🇳 flag: Tunisia|TN
🇹🇴 flag: Tonga|TO
🇹🇷 flag: Türkiye|TR
🇹🇹 flag: Trinidad & Tobago|TT
🇹🇻 flag: Tuvalu|TV
🇹🇼 flag: Taiwan|TW
🇹🇿 flag: Tanzania|TZ
🇺🇦 flag: Ukraine|UA
🇺🇬 flag: Uganda|UG
🇺🇲 flag: U.S. Outlying Islands|UM
🇺🇳 flag: United Nations|UN
🇺🇸 flag: United States|US
🇺🇾 flag: Uruguay|UY
🇺🇿 flag: Uzbekistan|UZ
🇻🇦 flag: Vatican City|VA
🇻🇨 flag: St. Vincent & Grenadines|VC
🇻🇪 flag: Venezuela|VE
🇻🇬 flag: British Virgin Islands|VG
🇻🇮 flag: U.S. Virgin Islands|VI
🇻🇳 flag: Vietnam|VN
🇻🇺 flag: Vanuatu|VU
🇼🇫 flag: Wallis & Futuna|WF
🇼🇸 flag: Samoa|WS
🇽🇰 flag: Kosovo|XK
🇾🇪 flag: Yemen|YE
🇾🇹 flag: Mayotte|YT
🇿🇦 flag: South Africa|ZA
🇿🇲 flag: Zambia|ZM
🇿🇼 flag: Zimbabwe|ZW
🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag: England|gbeng
🏴󠁧󠁢󠁳󠁣󠁴󠁿 flag: Scotland|gbsct
🏴󠁧󠁢󠁷󠁬󠁳󠁿 flag: Wales|gbwls
`
