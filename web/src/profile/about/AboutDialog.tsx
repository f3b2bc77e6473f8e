import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { BrandMark } from '../../ui/BrandMark.tsx'
import { profileStrings } from '../strings.ts'
import { InfoDialog } from './InfoDialog.tsx'

export function AboutDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const serverName = useQuery(clientConfigQuery()).data?.server_name
  const title = (
    <>
      <BrandMark size={36} />
      {profileStrings.aboutHither}
    </>
  )
  return (
    <InfoDialog open={open} title={title} onClose={onClose}>
      {serverName && (
        <Typography dir="auto" color="textSecondary" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
          {serverName}
        </Typography>
      )}
      <Typography sx={{ fontWeight: 700, mb: 1.5 }}>{profileStrings.aboutLine}</Typography>
      {profileStrings.aboutText.map((text) => (
        <Typography key={text} color="textSecondary" sx={{ mb: 1.5 }}>
          {text}
        </Typography>
      ))}
    </InfoDialog>
  )
}
