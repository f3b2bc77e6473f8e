import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import ListItem from '@mui/material/ListItem'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import type { Person } from './find-people.ts'

interface Props {
  person: Person
  text: ReactNode
  isOnline?: boolean
  /** Opens the profile. Without it the name is no button. */
  onOpen?: () => void
  /** Buttons at the end of the row. */
  children: ReactNode
}

export function PersonRow({ person, text, isOnline = false, onOpen, children }: Props) {
  const face = (
    <>
      <UserAvatar
        userId={person.user_id}
        name={shownName(person)}
        hasImage={person.has_image}
        size={48}
        isOnline={isOnline}
      />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ lineHeight: 1.25, overflowWrap: 'anywhere' }}>
          <bdi>{shownName(person)}</bdi>
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {text}
        </Typography>
      </Box>
    </>
  )
  // If the buttons would leave less than this width for the name, they wrap below it.
  const layout = { display: 'flex', alignItems: 'center', gap: 1.75, flex: '1 1 170px', minWidth: 0, minHeight: 48 }
  return (
    <ListItem sx={{ flexWrap: 'wrap', columnGap: 1.75, rowGap: 1, px: { xs: 1.5, sm: 2 }, py: 1.5, minHeight: 72 }}>
      {onOpen ? (
        <ButtonBase
          onClick={onOpen}
          sx={{ ...layout, justifyContent: 'flex-start', textAlign: 'start', borderRadius: '12px' }}
        >
          {face}
        </ButtonBase>
      ) : (
        <Box sx={layout}>{face}</Box>
      )}
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: { xs: 0.25, sm: 0.75 },
          flexShrink: 0,
          marginInlineStart: 'auto',
        }}
      >
        {children}
      </Box>
    </ListItem>
  )
}
