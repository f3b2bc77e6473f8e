import type { UserId } from '@hither/contract/ids.ts'
import type { Guest } from '@hither/contract/pings.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { t } from '../../i18n/translate.ts'
import { UserAvatar } from '../../ui/UserAvatar.tsx'
import { useImageOwners } from './use-image-owners.ts'

interface Props {
  people: readonly { user_id: UserId; username: string; display_name: string | null }[]
  /** They follow the people, with a dashed ring. */
  guests: readonly Guest[]
  viewer: User
}

const facesMax = 5
const facePx = 28

/** The first avatars and the number of the others. The names are shown next to it. */
export function PingFaces({ people, guests, viewer }: Props) {
  const withImage = useImageOwners(viewer)
  const faces = [
    ...people.map((person) => ({ id: person.user_id, name: shownName(person), isGuest: false })),
    ...guests.map(({ id, user_id, name }) => ({ id: user_id ?? id, name, isGuest: true })),
  ]
  const more = faces.length - facesMax
  return (
    <Box aria-hidden sx={{ display: 'flex', alignItems: 'center', paddingInlineStart: 1 }}>
      {faces.slice(0, facesMax).map(({ id, name, isGuest }) => (
        <Box
          key={id}
          sx={{
            marginInlineStart: -1,
            borderRadius: '50%',
            border: 2,
            borderColor: 'background.paper',
            bgcolor: 'background.paper',
            ...(isGuest && { borderStyle: 'dashed', borderColor: 'text.secondary' }),
          }}
        >
          <UserAvatar userId={id} name={name} hasImage={withImage.has(id)} size={facePx} />
        </Box>
      ))}
      {more > 0 && (
        <Box
          component="span"
          sx={{ marginInlineStart: 0.5, typography: 'body2', fontWeight: 700, color: 'text.secondary' }}
        >
          {t('pings.more', { count: more })}
        </Box>
      )}
    </Box>
  )
}
