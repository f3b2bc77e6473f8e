import { type User } from '@hither/contract/users.ts'
import AdminPanelSettingsOutlined from '@mui/icons-material/AdminPanelSettingsOutlined'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import PersonRounded from '@mui/icons-material/PersonRounded'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { adminRoleQuery } from '../admin/role.api.ts'
import { useSignOut } from '../outbox/use-sign-out.tsx'
import { UserAvatar } from '../ui/UserAvatar.tsx'
import { shellStrings } from './strings.ts'

export function AccountMenu({ user }: { user: User }) {
  const { signOut, question } = useSignOut()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const isAdmin = useQuery({ ...adminRoleQuery(), enabled: anchor !== null }).data?.is_admin === true
  const name = user.username || user.email
  const close = () => setAnchor(null)

  function handleLogout() {
    close()
    signOut()
  }

  return (
    <>
      <IconButton
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <UserAvatar userId={user.id} username={name} hasImage={user.has_image} size={34} />
        <span style={visuallyHidden}>{shellStrings.accountMenu}</span>
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          list: { 'aria-label': shellStrings.accountMenu },
          paper: { component: 'nav', 'aria-label': shellStrings.accountMenu, sx: { minWidth: 200, mt: 0.5 } },
        }}
      >
        <MenuItem component={Link} to="/profile" onClick={close}>
          <ListItemIcon>
            <PersonRounded />
          </ListItemIcon>
          {shellStrings.profile}
        </MenuItem>
        {isAdmin && (
          <MenuItem component={Link} to="/admin" onClick={close}>
            <ListItemIcon>
              <AdminPanelSettingsOutlined />
            </ListItemIcon>
            {shellStrings.admin}
          </MenuItem>
        )}
        <MenuItem onClick={handleLogout}>
          <ListItemIcon>
            <LogoutRounded />
          </ListItemIcon>
          {shellStrings.logout}
        </MenuItem>
      </Menu>
      {question}
    </>
  )
}
