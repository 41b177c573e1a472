import type { INTERESTS } from '../../../domain/profile/choices.ts'
import type { IconName } from '../picture/icon-names.ts'

type Interest = (typeof INTERESTS)[number]
type InterestGroup = { readonly title: string; readonly icon: IconName; readonly interests: readonly Interest[] }

/** The listed interests as people look for them: each stands in one group. */
export const INTEREST_GROUPS: readonly InterestGroup[] = [
  {
    title: 'Going out',
    icon: 'music',
    interests: ['Music', 'Concerts', 'Festivals', 'Dancing', 'Karaoke', 'Singing', 'Guitar', 'Theatre', 'Movies'],
  },
  {
    title: 'Outdoors',
    icon: 'trees',
    interests: ['Travel', 'Hiking', 'Camping', 'Nature', 'Beach', 'Gardening', 'Pets'],
  },
  {
    title: 'Moving',
    icon: 'bike',
    interests: ['Sports', 'Fitness', 'Yoga', 'Running', 'Cycling', 'Swimming', 'Climbing', 'Surfing', 'Skiing'],
  },
  {
    title: 'Food and drink',
    icon: 'utensils',
    interests: ['Foodie', 'Cooking', 'Baking', 'Coffee', 'Wine'],
  },
  {
    title: 'Making things',
    icon: 'palette',
    interests: ['Art', 'Photography', 'Design', 'Fashion', 'DIY', 'Writing', 'Poetry', 'Coding'],
  },
  {
    title: 'Mind and play',
    icon: 'book-open',
    interests: [
      'Books',
      'Podcasts',
      'Languages',
      'History',
      'Science',
      'Astronomy',
      'Technology',
      'Gaming',
      'Board Games',
      'Meditation',
      'Volunteering',
    ],
  },
]
