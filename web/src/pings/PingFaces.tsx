import { type UserId } from '@hither/contract/ids.ts'
import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { friendsQuery } from '../friends/friends.api.ts'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { pingStrings } from './strings.ts'

interface Props {
  people: readonly { user_id: UserId; username: string }[]
  viewer: User
}

const facesMax = 5
const facePx = 28

/** The first of them, and how many more. Their names stand beside. Pictures are known of friends and of oneself. */
export function PingFaces({ people, viewer }: Props) {
  const friends = useQuery(friendsQuery())
  const withImage = new Set(friends.data?.filter(({ has_image }) => has_image).map(({ user_id }) => user_id))
  if (viewer.has_image) withImage.add(viewer.id)
  const more = people.length - facesMax
  return (
    <Box aria-hidden sx={{ display: 'flex', alignItems: 'center', pl: 1 }}>
      {people.slice(0, facesMax).map(({ user_id, username }) => (
        <Box
          key={user_id}
          sx={{ ml: -1, borderRadius: '50%', border: 2, borderColor: 'background.paper', bgcolor: 'background.paper' }}
        >
          <UserAvatar userId={user_id} username={username} hasImage={withImage.has(user_id)} size={facePx} />
        </Box>
      ))}
      {more > 0 && (
        <Box component="span" sx={{ ml: 0.5, typography: 'body2', fontWeight: 700, color: 'text.secondary' }}>
          {pingStrings.more(more)}
        </Box>
      )}
    </Box>
  )
}
