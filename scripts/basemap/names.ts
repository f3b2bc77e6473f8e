import type { Point } from './geometry.ts'

/** The full names of countries that Natural Earth abbreviates. */
export const longNames: Readonly<Record<string, string>> = {
  'United States of America': 'United States',
  'Dem. Rep. Congo': 'DR Congo',
  'Central African Rep.': 'Central African Republic',
  'Dominican Rep.': 'Dominican Republic',
  'Bosnia and Herz.': 'Bosnia and Herzegovina',
  'Eq. Guinea': 'Equatorial Guinea',
  'W. Sahara': 'Western Sahara',
  'S. Sudan': 'South Sudan',
  'Solomon Is.': 'Solomon Islands',
  'Falkland Is.': 'Falkland Islands',
}

/** Label positions of countries for which the center of the largest part is not suitable. */
export const namePlaces: Readonly<Record<string, Point>> = {
  'United States of America': [-98.5, 39.6],
  France: [2.4, 46.7],
  Canada: [-106, 58],
  Norway: [9, 61.3],
  Russia: [96, 62],
}
