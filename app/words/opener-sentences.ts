/** About an interest of both; the question about it follows. */
export const SHARED_INTEREST = [
  '{it}, you too?',
  'We both picked {it}.',
  '{it} is on my list as well.',
  'So we have {it} in common.',
] as const

export const SHARED_TOWN = [
  'Which corner of {town} do too few people know?',
  'Where in {town} would you take a visitor first?',
  'Where is the best coffee in {town}, in your book?',
  'When do you like {town} best: early, late, or in the rain?',
] as const

export const THEIR_TOWN = [
  'What is the best corner of {town} that nobody knows?',
  'What would you show me first in {town}?',
  'What do people get wrong about {town}?',
  'What keeps you in {town}?',
] as const

/** For two who look for the same; the vibes that need eligibility have none. */
export const VIBE_QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  serious: [
    'What does a good Sunday for two look like?',
    'What do your friends say you are like to live with?',
    'Which small habit of yours should somebody know early?',
  ],
  casual: [
    'A quick drink or a long walk?',
    'What is the best first date you ever heard of?',
    'Which plan can be made at five for seven?',
  ],
  friends: [
    'What would you drag a new friend along to?',
    'What do you like to do with company, but never alone?',
    'Which of your friends has the best stories?',
  ],
  gymbuddy: [
    'Which exercise do you skip when nobody looks?',
    'Early training or late training?',
    'Which song is for the last set?',
  ],
  flirty: [
    'What is the best compliment you ever got?',
    'What makes you smile at your phone?',
    'Who starts: you or me?',
  ],
  chill: [
    'What is your perfect evening without a plan?',
    'Sofa, park or balcony?',
    'What do you do when you do nothing?',
  ],
  timepass: [
    'Two truths and a lie: you first?',
    'What is the oddest thing in your kitchen?',
    'Which rabbit hole did you fall into last?',
  ],
}

/** For two of whom nothing else is known. */
export const QUESTIONS = [
  'Window seat or aisle?',
  'What made you laugh today?',
  'What are you looking forward to?',
  'Which smell takes you home?',
  'Breakfast for dinner: yes or never?',
  'What did you learn too late?',
  'Which season are you?',
  'What could you talk about for an hour?',
  'What is the best thing within ten minutes of your door?',
  'Sunrise or last train?',
] as const

/** `{name}` is the other's first name. */
export const GREETINGS = [
  'Hi {name}, what was the best part of your week?',
  'Hello {name}, what should I ask you about?',
  '{name}, tea, coffee or something else?',
  'Hi {name}, how did your day go, in three words?',
  'Hey {name}, what are you up to this weekend?',
  '{name}, which of your pictures has the best story?',
  'Hi {name}, good news first: what is yours?',
  'Hello {name}, what would we order to share?',
] as const
