import type { Recipient } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import type { ReactNode, Ref } from 'react'

interface Props {
  people: readonly Recipient[]
  /** A button behind the name. */
  actionOf?: (person: Recipient) => ReactNode
  listRef?: Ref<HTMLUListElement>
}

/** The names of the invitees. */
export function InviteeList({ people, actionOf, listRef }: Props) {
  return (
    <Box
      component="ul"
      ref={listRef}
      tabIndex={-1}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 0, listStyle: 'none', outline: 'none' }}
    >
      {people.map((person) => (
        <Box
          component="li"
          key={person.id}
          sx={{
            display: 'flex',
            alignItems: 'center',
            minWidth: 0,
            maxWidth: '100%',
            minHeight: 32,
            paddingInlineStart: 1.5,
            paddingInlineEnd: actionOf ? 0 : 1.5,
            borderRadius: '22px',
            bgcolor: 'action.selected',
            typography: 'body2',
          }}
        >
          <Box component="bdi" sx={{ minWidth: 0, py: 0.5, overflowWrap: 'anywhere' }}>
            {person.recipient_display_name ?? person.recipient_username}
          </Box>
          {actionOf?.(person)}
        </Box>
      ))}
    </Box>
  )
}
