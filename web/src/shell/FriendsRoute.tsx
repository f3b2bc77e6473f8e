import { FriendsWithLinks } from '../friend-links/FriendsWithLinks.tsx'
import { PersonPins } from '../pings/lists/PersonPins.tsx'

/** Joins the friends with their pins, because the friends do not import the pings. */
export function FriendsRoute() {
  return <FriendsWithLinks renderPins={(userId) => <PersonPins userId={userId} />} />
}
