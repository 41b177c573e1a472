import type { Gender } from '../../domain/profile/choices.ts'
import type { Heritage } from './drawing/person/heritage.ts'
import type { Chance } from './random.ts'

type Names = { readonly women: readonly string[]; readonly men: readonly string[]; readonly last: readonly string[] }

const list = (names: string): readonly string[] => names.split(' ')

/** Names of synthetic people, from many places; any likeness is chance. */
export const NAMES: Record<Exclude<Heritage, 'anywhere'>, Names> = {
  northern: {
    women: list('Astrid Camille Freya Ingrid Maren Saoirse Signe Nora'),
    men: list('Anders Ben Eero Felix Finn Jonas Lars Oscar Theo'),
    last: list(
      'Andersson Bakker Dubois Fischer Hansen Jensen Larsen Lindqvist Murphy O’Brien Schmidt Svensson Virtanen Wagner',
    ),
  },
  eastern: {
    women: list('Elena Maja Marta Nadia Olga Zofia'),
    men: list('Andrei Dmitri Ivan Jakub Marek Pavel Stefan'),
    last: list('Horvat Kowalczyk Kravchenko Marković Novak Popescu Szabo Varga'),
  },
  southern: {
    women: list('Ana Beatriz Chiara Ines Joana Lucia Sara Sofia'),
    men: list('Adrian Bruno Daniel Giorgio Hugo João Leon Luca Rafael Tomás'),
    last: list('Almeida Bianchi Costa Fernández García Moreau Oliveira Papadopoulos Rossi Silva'),
  },
  latin: {
    women: list('Gabriela Renata Rosa Valentina Ximena'),
    men: list('Alejandro Carlos Gael Mateo Santiago'),
    last: list('Castro López Reyes Torres Vega'),
  },
  african: {
    women: list('Adaeze Amara Makena Naomi Thandi Wanjiru Zuri'),
    men: list('Chidi Jamal Kofi Kwame Sekou Tendai'),
    last: list('Abebe Diallo Eze Mbeki Mensah Okafor'),
  },
  arabic: {
    women: list('Aisha Dalia Elif Fatima Khadija Laila Noor Parisa Tamar Yara Zainab'),
    men: list('Ahmed Amir Bilal Emre Hassan Ibrahim Omar Tariq Yusuf'),
    last: list('Aziz Demir Haddad Kaya Mansour Rahimi Saleh Yılmaz'),
  },
  'south-asian': {
    women: list('Anjali Jasmine Kavya Meera Priya'),
    men: list('Arjun Nikhil Ravi Sanjay'),
    last: list('Banerjee Begum Khan Kumar Rahman Singh'),
  },
  'east-asian': {
    women: list('Aiko Hana Linh Mei Mina Yuki'),
    men: list('Hiro Kenji Minh Wei Jun'),
    last: list('Chen Ito Kim Nakamura Nguyen Park Sato Tanaka Tran Zhang'),
  },
}

/** Given to anybody, anywhere. */
export const OPEN_NAMES = list(
  'Alex Ari Ash Avery Blake Charlie Dakota Eden Ellis Jules Kai Kit Lou Max Noa Nour Ocean Phoenix Quinn Remi River Robin Rowan Sage Sam Sasha Sky Toni Wren',
)

export type FullName = { readonly firstName: string; readonly lastName: string; readonly heritage: Heritage }

/** A first name that goes with the gender, and a last name of the same origin, mostly. */
export function nameOf(chance: Chance, gender: Gender): FullName {
  const origins = Object.keys(NAMES) as (keyof typeof NAMES)[]
  const heritage = chance.pick(origins)
  const lastName = chance.pick(NAMES[chance.chance(0.9) ? heritage : chance.pick(origins)].last)
  if (gender === 'Female') return { firstName: chance.pick(NAMES[heritage].women), lastName, heritage }
  if (gender === 'Male') return { firstName: chance.pick(NAMES[heritage].men), lastName, heritage }
  return { firstName: chance.pick(OPEN_NAMES), lastName, heritage: 'anywhere' }
}
