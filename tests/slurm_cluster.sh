# A Slurm cluster of two nodes, a and b, both on this machine, until the sourcing script ends. Needs root and Debian's
# slurmctld, slurmd, slurm-client and munge. Changes to a temporary folder, which is removed at the end.
# shellcheck shell=bash

for tool in munged slurmctld slurmd sbatch; do
  command -v "$tool" > /dev/null || { echo "$0: $tool is missing" >&2; exit 2; }
done
folder=$(mktemp -d)
daemons=()
leave() {
  for pid in "${daemons[@]}"; do
    kill -9 "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
  done
  rm -rf "$folder"
}
trap leave EXIT
cd "$folder" || exit 1
mkdir ctld a b munge
chmod 700 munge
chmod 755 .
host=$(hostname -s)

dd if=/dev/urandom of=munge/key bs=1024 count=1 status=none
chmod 600 munge/key
munged --foreground --force --key-file=munge/key --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
  --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" > munge.txt 2>&1 &
daemons+=($!)

cat > slurm.conf << CONF
ClusterName=orrery
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=16817
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/ctld
SlurmctldPidFile=$folder/ctld/pid
SlurmdPidFile=$folder/%n/pid
SlurmdSpoolDir=$folder/%n
SlurmctldLogFile=$folder/ctld/log
SlurmdLogFile=$folder/%n/log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
MinJobAge=600
SchedulerParameters=requeue_setup_env_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=a NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=1
NodeName=b NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=1
PartitionName=all Nodes=a,b Default=YES MaxTime=60 State=UP
CONF
echo "CgroupPlugin=cgroup/v1" > cgroup.conf
export SLURM_CONF=$folder/slurm.conf
slurmctld -D -i -f slurm.conf > ctld.txt 2>&1 &
daemons+=($!)
declare -A node
for name in a b; do
  slurmd -D -N $name -f slurm.conf > $name.txt 2>&1 &
  # shellcheck disable=SC2034 # for the script that sources this
  node[$name]=$!
  daemons+=($!)
done
for ((i = 0; i < 60; ++i)); do
  [[ $(sinfo -h -t idle -o %D 2> /dev/null | tail -n 1) == 2 ]] && break
  sleep 1
done
sinfo -N -h || { tail -n 5 ./*.txt ctld/log a/log b/log; exit 1; }
