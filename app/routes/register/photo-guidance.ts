/** What could stand in each place of the photo step, and what makes them good. */
export const PHOTO_GUIDANCE = {
  places: ['Your face', 'All of you', 'What you love', 'With friends', 'Out and about', 'Anything else'],
  advice: [
    'Daylight, and your face in the upper half.',
    'You alone on the main photo; friends on later ones.',
    'Recent, and without filters.',
  ],
} as const
