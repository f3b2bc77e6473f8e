import type { Friend } from '@hither/contract/friends.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import BlockRounded from '@mui/icons-material/BlockRounded'
import FlagOutlined from '@mui/icons-material/FlagOutlined'
import MoreVertRounded from '@mui/icons-material/MoreVertRounded'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { ReportDialog } from '../moderation/ReportDialog.tsx'
import { reportStrings } from '../moderation/strings.ts'
import { BlockDialog } from './BlockDialog.tsx'
import type { Person } from './find-people.ts'
import { RemoveFriendDialog } from './RemoveFriendDialog.tsx'
import { friendStrings } from './strings.ts'

interface Props {
  person: Person
  /** Set if the person is a friend, who can be removed. */
  friend?: Friend
}

/** The less frequent actions for a user. */
export function PersonMenu({ person, friend }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'remove' | 'block' | 'report' | null>(null)

  function handleOpenDialog(what: 'remove' | 'block' | 'report') {
    setAnchor(null)
    setAsking(what)
  }

  return (
    <>
      <IconButton
        title={friendStrings.moreAbout(shownName(person))}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {friend && (
          <MenuItem onClick={() => handleOpenDialog('remove')}>
            <ListItemIcon>
              <PersonRemoveRounded fontSize="small" />
            </ListItemIcon>
            {friendStrings.removeTitle}
          </MenuItem>
        )}
        <MenuItem onClick={() => handleOpenDialog('block')}>
          <ListItemIcon>
            <BlockRounded fontSize="small" />
          </ListItemIcon>
          {friendStrings.blockConfirm}
        </MenuItem>
        <MenuItem onClick={() => handleOpenDialog('report')}>
          <ListItemIcon>
            <FlagOutlined fontSize="small" />
          </ListItemIcon>
          {reportStrings.report}
        </MenuItem>
      </Menu>
      {friend && <RemoveFriendDialog open={asking === 'remove'} friend={friend} onClose={() => setAsking(null)} />}
      <BlockDialog open={asking === 'block'} person={person} onClose={() => setAsking(null)} />
      <ReportDialog
        open={asking === 'report'}
        target={{ kind: 'user', id: person.user_id, name: shownName(person), hasImage: person.has_image }}
        onClose={() => setAsking(null)}
      />
    </>
  )
}
